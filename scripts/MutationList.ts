/**
 * What is taken out or bent, one guard at a time, and the test of the law that must turn red.
 *
 * Each text to find stands exactly once in its file; when a source changes, its mutation is changed with it.
 */
import type { Edit } from "./SourceCopy.ts"

export interface Mutation {
  /** What is wrong with the mutant, in words. */
  readonly name: string
  readonly law: string
  readonly edits: ReadonlyArray<Edit>
  /** The test file that proves the law. */
  readonly test: string
  /** A part of the title of its test. */
  readonly title: string
}

const creditTables = "packages/adapters-pg/src/migrations/baseline/credits.ts"
const ledgerFunctions = "packages/adapters-pg/src/credit/LedgerFunctions.ts"
const keyFunctions = "packages/adapters-pg/src/access/KeyFunctions.ts"
const connectionFunctions = "packages/adapters-pg/src/access/ConnectionFunctions.ts"
const usageFunctions = "packages/adapters-pg/src/credit/UsageFunctions.ts"
const ledgerRound = "packages/adapters-pg/src/credit/LedgerRound.ts"
const ledgerRows = "packages/adapters-pg/src/credit/LedgerRows.ts"
const core = (file: string) => `packages/core/src/${file}.ts`

const lawsInMemory = "packages/core/test/memory/credit/LedgerLaws.test.ts"
const lawsOverPostgres = "packages/adapters-pg/test/credit/LedgerLaws.integration.test.ts"
const contractInMemory = "packages/core/test/memory/credit/LedgerMemory.test.ts"
const contractOverPostgres = "packages/adapters-pg/test/credit/LedgerPg.integration.test.ts"
const faults = "packages/adapters-pg/test/credit/LedgerFaults.integration.test.ts"
const guards = "packages/adapters-pg/test/credit/LedgerGuards.integration.test.ts"
const keysInMemory = "packages/core/test/memory/access/KeyRingMemory.test.ts"
const keysOverPostgres = "packages/adapters-pg/test/access/KeyRingPg.integration.test.ts"
const keyRaces = "packages/adapters-pg/test/access/KeyRingRaces.integration.test.ts"
const rateWindow = "packages/core/test/rate/RateWindow.test.ts"
const admission = "packages/core/test/access/Admission.test.ts"
const dailyLimit = "packages/core/test/limit/DailyLimit.test.ts"
const metering = "packages/core/test/limit/Metering.test.ts"
const recordsAllowance = "packages/core/test/limit/RecordsAllowance.test.ts"
const exportDecision = "packages/core/test/credit/ExportDecision.test.ts"
const leadFunctions = "packages/adapters-pg/src/pipeline/LeadFunctions.ts"
const leadsOverPostgres = "packages/adapters-pg/test/pipeline/PipelinePg.integration.test.ts"
const runsMemory = core("memory/research/ResearchRunsMemory")
const runsInMemory = "packages/core/test/memory/research/ResearchRunsMemory.test.ts"
const monthlyGrants = "packages/core/test/memory/credit/MonthlyGrantMemory.test.ts"
const limitRoutes = "packages/http-host/test/routes/Limits.test.ts"

const sequence = "a sequence of calls answers and leaves what the model says"
const simultaneous = "simultaneous calls over two applications are explained"
const schedules = "however their steps interleave"
const contract = "hold for every sequence of commands"

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

export const mutations: ReadonlyArray<Mutation> = [
  {
    name: "a refund gives the grant nothing back",
    law: "L1",
    edits: [
      edit(
        ledgerFunctions,
        "CASE part ->> 'kind' WHEN 'refund' THEN 1 ELSE -1 END",
        "CASE part ->> 'kind' WHEN 'refund' THEN 0 ELSE -1 END"
      )
    ],
    test: lawsOverPostgres,
    title: sequence
  },
  {
    name: "a balance may go below zero",
    law: "L2",
    edits: [
      edit(creditTables, "balance_after integer NOT NULL CHECK (balance_after >= 0)", "balance_after integer NOT NULL")
    ],
    test: guards,
    title: "a balance below zero"
  },
  {
    name: "a price is paid with less",
    law: "L2",
    edits: [edit(core("credit/Charge"), "if (available < price)", "if (available < 1)")],
    test: contractInMemory,
    title: contract
  },
  {
    name: "the balance after an entry does not follow",
    law: "L3",
    edits: [edit(core("credit/LedgerDecision"), "balance += total(draft.buckets)", "balance = total(draft.buckets)")],
    test: contractInMemory,
    title: contract
  },
  {
    name: "an entry rewrites those before it",
    law: "L4",
    edits: [edit(
      ledgerFunctions,
      "      trial_change := trial_change + (part",
      "      UPDATE credit_entry SET actor = part -> 'actor' WHERE org_id = of_org;\n      trial_change := trial_change + (part"
    )],
    test: lawsOverPostgres,
    title: sequence
  },
  {
    name: "a charged unlock is not recorded",
    law: "L5",
    edits: [edit(
      core("property/UnlockDecision"),
      "access: [{ _tag: \"Record\", kind: \"property\", id, source: \"paid\" }]",
      "access: []"
    )],
    test: contractInMemory,
    title: contract
  },
  {
    name: "one charge may open two properties",
    law: "L5",
    edits: [edit(creditTables, "CREATE UNIQUE INDEX property_access_charge", "CREATE INDEX property_access_charge")],
    test: guards,
    title: "two properties for one charge"
  },
  {
    name: "an unlock says that it was free",
    law: "L6",
    edits: [edit(
      core("property/UnlockDecision"),
      "return decide({ alreadyRevealed: false, creditsCharged: price }",
      "return decide({ alreadyRevealed: false, creditsCharged: 0 }"
    )],
    test: contractInMemory,
    title: contract
  },
  {
    name: "buckets are spent in the reverse order",
    law: "L7",
    edits: [edit(
      core("credit/BurnDown"),
      "Bucket.literals.indexOf(left.bucket) - Bucket.literals.indexOf(right.bucket)",
      "Bucket.literals.indexOf(right.bucket) - Bucket.literals.indexOf(left.bucket)"
    )],
    test: contractInMemory,
    title: contract
  },
  {
    name: "the largest grant is spent first",
    law: "L8",
    edits: [edit(
      core("credit/BurnDown"),
      "[...grants].sort(earlier)",
      "[...grants].sort((left, right) => right.remaining - left.remaining || earlier(left, right))"
    )],
    test: lawsInMemory,
    title: "does not depend on their order"
  },
  {
    name: "a known reference grants again",
    law: "L9",
    edits: [
      edit(core("credit/Grant"), "if (snapshot.entry !== null) {", "if (snapshot.entry !== null && grant.amount < 0) {")
    ],
    test: contractInMemory,
    title: "a grant counts once per reference"
  },
  {
    name: "the database lets a reference grant twice",
    law: "L9",
    edits: [edit(creditTables, "CREATE UNIQUE INDEX credit_entry_grant", "CREATE INDEX credit_entry_grant")],
    test: guards,
    title: "a reference granted twice"
  },
  {
    name: "a charge is refunded twice",
    law: "L10",
    edits: [edit(core("credit/Refund"), "if (snapshot.refundedBy !== null) {", "if (snapshot.refundedBy === 0) {")],
    test: contractInMemory,
    title: "a refund goes back to the same grants, once"
  },
  {
    name: "the database lets a charge be refunded twice",
    law: "L10",
    edits: [edit(creditTables, "CREATE UNIQUE INDEX credit_entry_refund", "CREATE INDEX credit_entry_refund")],
    test: guards,
    title: "a charge refunded twice"
  },
  {
    name: "expiry is ignored",
    law: "L11",
    edits: [
      edit(core("credit/BurnDown"), "grant.expiresAt !== null && grant.expiresAt <= now", "grant.expiresAt === now + 1")
    ],
    test: contractInMemory,
    title: "credits are gone at the millisecond"
  },
  {
    name: "another organization's unlock counts as one's own",
    law: "L12",
    edits: [edit(
      ledgerFunctions,
      "FROM property_access p WHERE p.org_id = of_org AND p.property_id = subject::uuid;",
      "FROM property_access p WHERE p.property_id = subject::uuid;"
    )],
    test: lawsOverPostgres,
    title: "two organizations on the same items"
  },
  {
    name: "the account books two buckets the wrong way round",
    law: "L13",
    edits: [edit(
      ledgerFunctions,
      "included = included + included_change,\n      enterprise_pool = enterprise_pool + pool_change",
      "included = included + pool_change,\n      enterprise_pool = enterprise_pool + included_change"
    )],
    test: lawsOverPostgres,
    title: sequence
  },
  {
    name: "a bundle is charged in one transaction and counted in the next",
    law: "L14",
    edits: [
      edit(
        ledgerRound,
        "        ...change,\n",
        "        ...change,\n        decision: { ...change.decision, exports: 0 },\n"
      ),
      edit(
        ledgerRound,
        "    const changed = writings.flatMap(",
        "    for (const { call: { command: { now } }, change } of writings) {\n" +
          "      const left = { ...change.decision, entries: [], newGrants: [], access: [] }\n" +
          "      const rest = JSON.stringify({ ...left, version: left.version + change.decision.entries.length })\n" +
          "      yield* sql`SELECT FROM ledger_apply(${orgId}::text, ${now}::bigint, ${rest}::jsonb, NULL)`\n" +
          "    }\n" +
          "    const changed = writings.flatMap("
      )
    ],
    test: faults,
    title: "killed when it writes export_usage"
  },
  {
    name: "calls that share a commit are told before it",
    law: "L14",
    edits: [edit(ledgerRound, "      writings.push({ call,", "      tell()\n      writings.push({ call,")],
    test: contractOverPostgres,
    title: "nothing of these is there, each goes through again"
  },
  {
    name: "half a credit is granted",
    law: "L15",
    edits: [edit(core("credit/Grant"), "!Number.isInteger(grant.amount) || ", "")],
    test: "packages/core/test/credit/Grant.test.ts",
    title: "refuses what is no amount"
  },
  {
    name: "the look before the lock is trusted under it (no re-check)",
    law: "I1",
    edits: [
      edit(
        core("property/PropertyUnlocker"),
        "decideUnlock(snapshot, {",
        "decideUnlock({ ...snapshot, access: null }, {"
      )
    ],
    test: lawsOverPostgres,
    title: "N unlocks of one property"
  },
  {
    name: "the item's lock is not tried (no try-lock)",
    law: "I1",
    edits: [
      edit(
        ledgerFunctions,
        "WHEN (given ->> 'exclusive')::boolean THEN pg_try_advisory_xact_lock(",
        "WHEN false THEN pg_try_advisory_xact_lock("
      )
    ],
    test: contractOverPostgres,
    title: "one of another process is refused at once"
  },
  {
    name: "what is paid for is not free again",
    law: "I2",
    edits: [edit(core("property/UnlockDecision"), "snapshot.access?.source === \"paid\" || ", "")],
    test: contractInMemory,
    title: "what is paid for is free for ever"
  },
  {
    name: "a refused call forgets the month's exports",
    law: "I3",
    edits: [edit(
      core("memory/credit/LedgerMemory"),
      "const decision = yield* Effect.fromResult(decide(snapshot))",
      "const decision = yield* Effect.fromResult(decide(snapshot)).pipe(\n" +
        "  Effect.tapError(() => Effect.sync(() => state.accounts.set(orgId, { ...accountOf(orgId), exports: new Map() })))\n" +
        ")"
    )],
    test: lawsInMemory,
    title: sequence
  },
  {
    name: "a refusal sticks to its item",
    law: "I4",
    edits: [edit(
      core("credit/Turns"),
      "(waiter) =>\n          Effect.sync(() => {\n            if (key !== null)",
      "(waiter, exit) =>\n          Effect.sync(() => {\n            if (key !== null && exit._tag === \"Success\")"
    )],
    test: contractInMemory,
    title: "a refusal changes nothing and does not stick"
  },
  {
    name: "the item's lock belongs to the session, not to the transaction",
    law: "I5",
    edits: [edit(ledgerFunctions, "THEN pg_try_advisory_xact_lock(", "THEN pg_try_advisory_lock(")],
    test: lawsOverPostgres,
    title: simultaneous
  },
  {
    name: "an item is never released in its process",
    law: "I5",
    edits: [edit(core("credit/Turns"), "if (key !== null) inProgress.delete(key)", "")],
    test: contractInMemory,
    title: "an interrupted call leaves nothing in progress"
  },
  {
    name: "no row lock",
    law: "I6",
    edits: [edit(
      ledgerFunctions,
      "WHERE a.org_id = of_org FOR NO KEY UPDATE;\n      IF NOT FOUND THEN\n        INSERT",
      "WHERE a.org_id = of_org;\n      IF NOT FOUND THEN\n        INSERT"
    )],
    test: lawsOverPostgres,
    title: simultaneous
  },
  {
    name: "a decision is applied though its snapshot was overtaken",
    law: "I6",
    edits: [edit(ledgerFunctions, "ELSIF revision <> known_revision OR", "ELSIF revision < 0 OR")],
    test: lawsOverPostgres,
    title: simultaneous
  },
  {
    name: "what changes no balance leaves the account's revision",
    law: "I6",
    edits: [edit(ledgerFunctions, "revision = revision + 1,", "revision = revision + (part IS NOT NULL)::integer,")],
    test: contractOverPostgres,
    title: "is held to what that one counted"
  },
  {
    name: "a change of the settings leaves the account's revision",
    law: "I6",
    edits: [edit(
      "packages/adapters-pg/src/organization/OrganizationFunctions.ts",
      "SET revision = revision + 1 WHERE org_id = NEW.org_id",
      "SET revision = revision WHERE false"
    )],
    test: contractOverPostgres,
    title: "is decided by the new ones if it is written after them"
  },
  {
    name: "what is read under the lock is read before it",
    law: "I6",
    edits: [
      edit(
        ledgerFunctions,
        "locked := ledger_lock_all(of_org, calls);\n    snapshots := ledger_snapshots(of_org, calls);",
        "snapshots := ledger_snapshots(of_org, calls);\n    locked := ledger_lock_all(of_org, calls);"
      )
    ],
    test: contractOverPostgres,
    title: "reads after the lock was granted"
  },
  {
    name: "what was foretold is not held against what is found",
    law: "I6",
    edits: [edit(ledgerFunctions, "ELSIF (expected IS NOT NULL OR", "ELSIF false AND (expected IS NOT NULL OR")],
    test: contractOverPostgres,
    title: "means more than was foretold is decided anew"
  },
  {
    name: "a bundle trusts the access that it read before the lock",
    law: "I6",
    edits: [edit(core("lead/LeadReader"), "          covered,\n", "          covered: true,\n")],
    test: lawsInMemory,
    title: schedules
  },
  {
    name: "calls of one organization take no turns",
    law: "I6",
    edits: [edit(core("credit/Turns"), "Deferred.await(waiter),", "Effect.void,")],
    test: lawsInMemory,
    title: schedules
  },
  {
    name: "enough for one is enough for all",
    law: "I7",
    edits: [edit(core("credit/Charge"), "if (available < price)", "if (available < 1)")],
    test: contractInMemory,
    title: "with the money for m exactly m succeed"
  },
  {
    name: "an unlock opens no contacts",
    law: "I8",
    edits: [edit(
      core("memory/credit/LedgerMemory"),
      "openedByProperty: subject._tag === \"Contact\" &&",
      "openedByProperty: subject._tag === \"Contact\" && orgId === \"\" &&"
    )],
    test: contractInMemory,
    title: "an unlock opens every attached contact"
  },
  {
    name: "MCP names a refusal otherwise",
    law: "I9",
    edits: [edit(
      "packages/mcp-host/src/ToolResult.ts",
      "code: refused._tag,",
      "code: refused._tag.toLowerCase(),"
    )],
    test: "packages/cli/test/Doors.integration.test.ts",
    title: "give equal data, equal codes and the same ledger"
  },
  {
    name: "a covered property is charged for",
    law: "I10",
    edits: [edit(core("property/UnlockDecision"), "  if (covered) {\n", "  if (covered && snapshot.version < 0) {\n")],
    test: contractInMemory,
    title: "what is paid for is free for ever"
  },
  {
    name: "one export too many is free",
    law: "I11",
    edits: [edit(
      core("credit/ExportDecision"),
      "allowanceInForce || exportsUsed < max",
      "allowanceInForce || exportsUsed <= max"
    )],
    test: contractInMemory,
    title: "of n simultaneous exports exactly the free ones are free"
  },
  {
    name: "a request is counted without the window's condition",
    law: "R1",
    edits: [
      edit(
        keyFunctions,
        "\n            AND (NOT window_runs(w.started_at, now_ms) OR w.count + times <= per_minute)",
        ""
      )
    ],
    test: keyRaces,
    title: "the last request of a minute"
  },
  {
    name: "the keys of an organization share a window",
    law: "R2",
    edits: [
      edit(
        core("memory/access/KeyRingMemory"),
        "countRequest(state, organization, credential.credentialId, now)",
        "countRequest(state, organization, organization.org_id, now)"
      )
    ],
    test: keysInMemory,
    title: "count requests by the rule"
  },
  {
    name: "an organization's settings are remembered for good",
    law: "R3",
    edits: [edit(
      keyFunctions,
      "CASE WHEN fact.revision IS DISTINCT FROM known_revision THEN fact.profile END",
      "CASE WHEN known_revision IS NULL THEN fact.profile END"
    )],
    test: keysOverPostgres,
    title: "with their organization as it is now"
  },
  {
    name: "the wait that is told is rounded down",
    law: "R4",
    edits: [
      edit(core("rate/RateWindow"), "Math.ceil((resetsAt - now) / 1000)", "Math.floor((resetsAt - now) / 1000)")
    ],
    test: rateWindow,
    title: "tells a wait that always suffices"
  },
  {
    name: "a refused request starts the window anew",
    law: "R5",
    edits: [edit(
      core("rate/RateWindow"),
      "const next = admitted ? { ...running, count: running.count + 1 } : running",
      "const next = admitted ? { ...running, count: running.count + 1 } : { ...running, startedAt: now }"
    )],
    test: rateWindow,
    title: "keeps it for 60 seconds whatever is refused"
  },
  {
    name: "an address is not counted",
    law: "R6",
    edits: [
      edit(
        core("access/Admission"),
        "Effect.andThen(addresses.admit(address), identify(secret, organization, requestId, now))",
        "identify(secret, organization, requestId, now)"
      ),
      edit(
        core("access/Entrance"),
        "Effect.andThen(limiter.admit(address), keys.authorize(secretHash, now))",
        "keys.authorize(secretHash, now)"
      )
    ],
    test: admission,
    title: "counts an address before it looks at a key"
  },
  {
    name: "a key is counted whose address is refused",
    law: "R6",
    edits: [
      edit(
        "packages/adapters-pg/src/access/EntrancePg.ts",
        "CASE WHEN a.admitted THEN decode($3::text, 'hex') END",
        "decode($3::text, 'hex')"
      )
    ],
    test: "packages/adapters-pg/test/access/EntrancePg.integration.test.ts",
    title: "counts nothing of a key whose request the address refuses"
  },
  {
    name: "requests that come together are counted as one",
    law: "R6",
    edits: [
      edit("packages/adapters-pg/src/access/EntrancePg.ts", "\"$2\", \"$4\", \"a.let_in\")", "\"$2\", \"$4\")")
    ],
    test: "packages/adapters-pg/test/access/EntrancePg.integration.test.ts",
    title: "requests that come together come to what they would in turn"
  },
  {
    name: "a request is counted without the day's condition",
    law: "R7",
    edits: [edit(keyFunctions, " AND d.requests + times <= per_day", "")],
    test: keyRaces,
    title: "the last request of a day"
  },
  {
    name: "the limiter has no deadline",
    law: "R8",
    edits: [edit(core("access/Admission"), "millis: patience,", "millis: 3_600_000,")],
    test: admission,
    title: "lets nobody in while requests cannot be counted"
  },
  {
    name: "windows of a member's connections begin at once",
    law: "R9",
    edits: [
      edit(
        connectionFunctions,
        "        PERFORM pg_advisory_xact_lock(hashtextextended('connections ' || m.org_id || ' ' || m.member_id, 0));\n",
        ""
      )
    ],
    test: keyRaces,
    title: "a member's tenth connection"
  },
  {
    name: "a window that lies ahead of the clock is waited for",
    law: "R10",
    edits: [edit(core("rate/RateWindow"), " && now >= startedAt - windowMillis", "")],
    test: rateWindow,
    title: "begins anew after a clock was set back"
  },
  {
    name: "an organization takes whatever is free",
    law: "P1",
    edits: [edit(core("load/FairShares"), " || !hasPlace(orgId, line, now)", "")],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "keeps every bound"
  },
  {
    name: "who came first is served first, whosoever it is",
    law: "P2",
    edits: [edit(
      core("load/FairShares"),
      "        lines.delete(orgId)\n        lines.set(orgId, line)\n",
      ""
    )],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "lets different organizations in by turns"
  },
  {
    name: "a flood of requests uses nothing",
    law: "P7",
    edits: [edit(core("load/Usage"), "amount += millis * busy()", "amount += 0")],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "counts requests while the thread is busy"
  },
  {
    name: "who is kept waiting by the thread uses as much as it waits",
    law: "P7",
    edits: [edit(
      core("load/Usage"),
      "Math.max(0, use.running * now - use.beginnings) * idle",
      "Math.max(0, use.running * now - use.beginnings)"
    )],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "counts requests while the thread is busy"
  },
  {
    name: "a long line of work tells nothing of who is the busiest",
    law: "P7",
    edits: [edit(core("load/Usage"), "Math.abs(lead) > modestLead ?", "Math.abs(lead) > Infinity ?")],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "takes whoever has the longest line for the busiest"
  },
  {
    name: "a request counts the same, however long the thread is kept by it",
    law: "P7",
    edits: [edit(core("load/Usage"), "amount += millis * busy()", "amount += requestMillis * busy()")],
    test: "packages/core/test/load/FairShares.test.ts",
    title: "counts what requests take of the thread"
  },
  {
    name: "what a statement answers is gone on with at once, whoever waits",
    law: "V7",
    edits: [edit(core("load/Turn"), "own === null ?", "own !== null ?")],
    test: "packages/core/test/load/Workload.test.ts",
    title: "goes on in its organization's turn"
  },
  {
    name: "a connection that is closed is read to the end of what came",
    law: "V9",
    edits: [edit("packages/http-host/src/Connections.ts", "    Parsing.end(connection.socket)\n", "")],
    test: "packages/http-host/test/Connections.test.ts",
    title: "far too many are not read"
  },
  {
    name: "what is being written is ended by the deadline",
    law: "P4",
    edits: [edit(core("load/Deadline"), "state.phase = \"lifted\"\n", "")],
    test: "packages/core/test/load/Deadline.test.ts",
    title: "does not end what has begun to write"
  },
  {
    name: "a key's cap lifts the organization's",
    law: "D1",
    edits: [
      edit(
        core("limit/DailyLimit"),
        "const cap = caps[layer]\n",
        "const cap = layer === \"organization\" && caps.key !== null ? null : caps[layer]\n"
      )
    ],
    test: dailyLimit,
    title: "above the organization's have no effect"
  },
  {
    name: "a key answers for what other keys used",
    law: "D2",
    edits: [
      edit(
        core("limit/DailyLimit"),
        "used: layer === \"key\" ? used.key : used.organization",
        "used: used.organization"
      )
    ],
    test: dailyLimit,
    title: "refuse iff some layer's own use"
  },
  {
    name: "the database counts for the organization alone",
    law: "D2",
    edits: [
      edit(usageFunctions, "(VALUES (''), (change ->> 'credentialId')) AS s(scope)", "(VALUES ('')) AS s(scope)")
    ],
    test: contractOverPostgres,
    title: "each layer counts its own"
  },
  {
    name: "the highest cap that refuses is reported",
    law: "D3",
    edits: [
      edit(
        core("limit/DailyLimit"),
        "const lowest = Math.min(...over.map(({ value }) => value))",
        "const lowest = Math.max(...over.map(({ value }) => value))"
      )
    ],
    test: dailyLimit,
    title: "report the lowest cap among those that refuse"
  },
  {
    name: "what is left may be less than nothing",
    law: "D4",
    edits: [
      edit(core("limit/LimitRefusals"), "Math.max(0, reported.value - reported.used)", "reported.value - reported.used")
    ],
    test: metering,
    title: "never tells less than nothing left"
  },
  {
    name: "the service's maximum is refused as the organization's",
    law: "D4",
    edits: [
      edit(
        core("limit/LimitRefusals"),
        "return new AccountDailyCapExceeded(fields)",
        "return new DailyCapExceeded(fields)"
      )
    ],
    test: metering,
    title: "has each layer's own code"
  },
  {
    name: "the code stands in one place only",
    law: "D4",
    edits: [
      edit("packages/http-host/src/Envelope.ts", "...(code === \"top and meta\" ? { code: refusal._tag } : {}),", "")
    ],
    test: limitRoutes,
    title: "429 when the organization's paid unlocks are used up"
  },
  {
    name: "a limit of 0 is no limit",
    law: "D5",
    edits: [
      edit(core("limit/DailyLimit"), "value === null || value === undefined ? fallback", "!value ? fallback")
    ],
    test: dailyLimit,
    title: "of 0 in the settings pause that kind"
  },
  {
    name: "what is free already is counted again",
    law: "D6",
    edits: [
      edit(
        core("contact/RevealDecision"),
        "const covered = repeated || snapshot.openedByProperty ? [] : [id]",
        "const covered = [id]"
      )
    ],
    test: contractInMemory,
    title: "what is free is not stopped by a cap"
  },
  {
    name: "a covered person is counted at each reading",
    law: "D6",
    edits: [
      edit(
        usageFunctions,
        "WHERE t.org_id = of_org AND t.day = on_day AND t.contact_id = c.id",
        "WHERE t.org_id = of_org AND t.day = on_day AND t.contact_id = c.id AND false"
      )
    ],
    test: contractOverPostgres,
    title: "simultaneous readings of covered people"
  },
  {
    name: "the last people of an answer are opened first",
    law: "D7",
    edits: [
      edit(
        core("limit/Metering"),
        "const opened = fresh.slice(0, Math.min(revealsLeft(limits, usage), fresh.length))",
        "const opened = fresh.slice(fresh.length - Math.min(revealsLeft(limits, usage), fresh.length))"
      ),
      edit(
        core("limit/Metering"),
        "withheld: new Set(fresh.slice(opened.length)),",
        "withheld: new Set(fresh.slice(0, fresh.length - opened.length)),"
      )
    ],
    test: metering,
    title: "opens the first that the day has room for"
  },
  {
    name: "a property's page is refused for its people",
    law: "D7",
    edits: [
      edit(core("property/PropertyReader"), "whole: false,", "whole: true,")
    ],
    test: limitRoutes,
    title: "is never 429 for people"
  },
  {
    name: "the day begins an hour early",
    law: "D8",
    edits: [
      edit(
        core("limit/Limits"),
        "day: nextMidnight(limits.now) - 86_400_000",
        "day: nextMidnight(limits.now + 3_600_000) - 86_400_000"
      )
    ],
    test: metering,
    title: "counts each once a day"
  },
  {
    name: "the day that is told ends an hour early",
    law: "D8",
    edits: [
      edit(
        core("limit/LimitRefusals"),
        "resetsAt: iso(nextMidnight(now)),",
        "resetsAt: iso(nextMidnight(now) - 3_600_000),"
      )
    ],
    test: metering,
    title: "never tells less than nothing left"
  },
  {
    name: "what was read before the lock is trusted under it",
    law: "D9",
    edits: [
      edit(
        core("credit/Meter"),
        "Result.map(decideOn(snapshot.usage), (reading) =>",
        "Result.map(Result.succeed(seen), (reading) =>"
      )
    ],
    test: contractInMemory,
    title: "simultaneous readings of covered people"
  },
  {
    name: "calls of one organization take no turns",
    law: "D9",
    edits: [
      edit(core("credit/Turns"), "Deferred.await(waiter),", "Effect.void,")
    ],
    test: contractInMemory,
    title: "a daily cap is not passed by simultaneous calls"
  },
  {
    name: "a count does not move the account's revision",
    law: "D9",
    edits: [
      edit(ledgerFunctions, "revision = revision + 1,", "revision = revision + (part IS NOT NULL)::integer,")
    ],
    test: contractOverPostgres,
    title: "exact over two processes"
  },
  {
    name: "an own value does not take the place of the derived one",
    law: "D10",
    edits: [
      edit(
        core("limit/DailyLimit"),
        "[serviceLayer]: capOf(given?.service, derived)",
        "[serviceLayer]: derived ?? capOf(given?.service, null)"
      )
    ],
    test: dailyLimit,
    title: "of records are derived from the allowance"
  },
  {
    name: "the derived cap is a day's share",
    law: "D10",
    edits: [
      edit(core("limit/DailyLimit"), "Math.ceil((3 * records) / daysInPeriod)", "Math.ceil(records / daysInPeriod)")
    ],
    test: dailyLimit,
    title: "of records are derived from the allowance"
  },
  {
    name: "the default of pipeline changes is rounded up",
    law: "D11",
    edits: [
      edit(core("limit/DailyLimit"), "Math.floor(monthlyAllotment / 30)", "Math.ceil(monthlyAllotment / 30)")
    ],
    test: dailyLimit,
    title: "of pipeline changes have a default"
  },
  {
    name: "a key's change of the pipeline is not counted",
    law: "D11",
    edits: [edit(core("pipeline/LeadMover"), "counting(limits, { agent_pipeline_change: 1 })", "counting(limits, {})")],
    test: "packages/core/test/memory/pipeline/PipelineMemory.test.ts",
    title: "exactly as many take effect as the day's cap allows"
  },
  {
    name: "the database changes the pipeline and counts nothing",
    law: "D11",
    edits: [
      edit(
        "packages/adapters-pg/src/pipeline/PipelinePg.ts",
        "${JSON.stringify(count.counted)}::jsonb",
        "NULL"
      )
    ],
    test: "packages/adapters-pg/test/pipeline/PipelinePg.integration.test.ts",
    title: "exactly as many take effect as the day's cap allows"
  },
  {
    name: "a record is new whenever it is asked for",
    law: "A1",
    edits: [
      edit(core("limit/UsageCounters"), "read(takenName(period, record)) === 0", "read(takenName(period, record)) >= 0")
    ],
    test: metering,
    title: "counts each distinct one once in a period"
  },
  {
    name: "the database forgets what was taken",
    law: "A1",
    edits: [
      edit(usageFunctions, "t.kind = r.kind AND t.record_id = r.id", "t.kind = r.kind AND t.record_id = r.id AND false")
    ],
    test: contractOverPostgres,
    title: "a record is taken once"
  },
  {
    name: "a person attached twice counts twice",
    law: "A2",
    edits: [
      edit(
        core("lead/BundleRecords"),
        "const people = new Set(bundle.contacts.map((contact) => contact.service_contact_id))",
        "const people = bundle.contacts.map((contact) => contact.service_contact_id)"
      )
    ],
    test: metering,
    title: "is its property, and each firm and person once"
  },
  {
    name: "a taking goes through while anything is left",
    law: "A3",
    edits: [
      edit(
        core("limit/Metering"),
        "fresh + usage.underWay.records > remainingOf(allowance, usage.records)",
        "usage.underWay.records >= remainingOf(allowance, usage.records)"
      )
    ],
    test: metering,
    title: "counts each distinct one once in a period"
  },
  {
    name: "a taking may pass the allowance by one",
    law: "A3",
    edits: [
      edit(
        core("limit/Metering"),
        "fresh + usage.underWay.records > remainingOf(allowance, usage.records)",
        "fresh - 1 + usage.underWay.records > remainingOf(allowance, usage.records)"
      )
    ],
    test: contractInMemory,
    title: "simultaneous takings are all or nothing"
  },
  {
    name: "no taking straddles the initial load",
    law: "A4",
    edits: [
      edit(
        core("limit/RecordsAllowance"),
        "Math.min(fresh, leftOf(terms, use).initial)",
        "fresh <= leftOf(terms, use).initial ? fresh : 0"
      )
    ],
    test: recordsAllowance,
    title: "spends the initial load first"
  },
  {
    name: "the initial load is filled anew with each period",
    law: "A4",
    edits: [
      edit(
        usageFunctions,
        "FROM record_use u WHERE u.org_id = of_org),",
        "FROM record_use u WHERE u.org_id = of_org AND u.period_start = since),"
      )
    ],
    test: contractOverPostgres,
    title: "the initial load is never refilled"
  },
  {
    name: "a period's first moment belongs to the one before",
    law: "A5",
    edits: [
      edit(
        core("limit/RecordsAllowance"),
        "while (boundary(index) > now) index -= 1",
        "while (boundary(index) >= now) index -= 1"
      )
    ],
    test: recordsAllowance,
    title: "holds every moment once"
  },
  {
    name: "a contract of the 31st runs over into the next month",
    law: "A5",
    edits: [
      edit(core("limit/RecordsAllowance"), "Math.min(day, lastDay)", "day")
    ],
    test: recordsAllowance,
    title: "of a contract that begins on the 31st"
  },
  {
    name: "what is not delivered in full is taken",
    law: "A6",
    edits: [
      edit(
        core("property/PropertyReader"),
        "revealed ? [{ kind: \"property\", id }] : []",
        "[{ kind: \"property\", id }]"
      )
    ],
    test: limitRoutes,
    title: "and nowhere else"
  },
  {
    name: "a refused taking counts",
    law: "A6",
    edits: [
      edit(
        core("memory/credit/LedgerMemory"),
        "      const decision = yield* Effect.fromResult(decide(snapshot))",
        "      const counted = { kinds: {}, contacts: [], records: usage?.records ?? [], fromInitial: 0 }\n      const account = accountOf(orgId)\n      if (usage !== undefined && Result.isFailure(decide(snapshot))) {\n        state.accounts.set(orgId, { ...account, usage: counting(account.usage, usage, counted) })\n      }\n      const decision = yield* Effect.fromResult(decide(snapshot))"
      ),
      edit(
        core("memory/credit/LedgerMemory"),
        "import { Effect, Layer } from \"effect\"",
        "import { Effect, Layer, Result } from \"effect\""
      )
    ],
    test: contractInMemory,
    title: "a refused call counts nothing"
  },
  {
    name: "the overage has no ceiling of its own",
    law: "A7",
    edits: [
      edit(
        core("limit/RecordsAllowance"),
        ": Math.max(0, terms.overage.ceiling - Math.max(0, use.recurring - terms.records))",
        ": terms.overage.ceiling"
      )
    ],
    test: recordsAllowance,
    title: "then the overage to its ceiling"
  },
  {
    name: "every record is told as overage",
    law: "A7",
    edits: [
      edit(
        core("limit/RecordsAllowance"),
        "terms.overage === null ? 0 : Math.max(0, use.recurring - terms.records)",
        "terms.overage === null ? 0 : use.recurring"
      )
    ],
    test: contractInMemory,
    title: "what is told of the allowance adds up"
  },
  {
    name: "credits are charged beside the allowance",
    law: "A8",
    edits: [
      edit(core("credit/ExportDecision"), "allowanceInForce || exportsUsed", "exportsUsed")
    ],
    test: exportDecision,
    title: "once the records allowance of an Enterprise organization pays"
  },
  {
    name: "an allowance opens what is not licensed",
    law: "A8",
    edits: [
      edit(
        core("credit/ExportDecision"),
        "if (!request.covered && snapshot.access?.source !== \"paid\")",
        "if (!request.covered && limits?.allowance == null && snapshot.access?.source !== \"paid\")"
      )
    ],
    test: exportDecision,
    title: "before anything else"
  },
  {
    name: "a day counts takings and not records",
    law: "A9",
    edits: [
      edit(
        ledgerRows,
        "records_taken_per_day: counted.records.length",
        "records_taken_per_day: Math.min(1, counted.records.length)"
      )
    ],
    test: contractOverPostgres,
    title: "a record is taken once"
  },
  {
    name: "a day's records are not counted",
    law: "A9",
    edits: [
      edit(core("limit/UsageCounters"), "records_taken_per_day: records.length }", "records_taken_per_day: 0 }")
    ],
    test: metering,
    title: "counts each distinct one once in a period"
  },
  {
    name: "what is left of the allowance counts the overage",
    law: "A10",
    edits: [
      edit(
        core("account/AllowanceReader"),
        "remaining: leftOf(terms, records).recurring",
        "remaining: leftOf(terms, records).recurring + leftOf(terms, records).overage"
      )
    ],
    test: contractInMemory,
    title: "what is told of the allowance adds up"
  },
  {
    name: "asking for the allowance takes a record",
    law: "A10",
    edits: [
      edit(
        core("account/AllowanceReader"),
        "    const usage = yield* ledger.usage(organization.org_id, queryOf(limits))\n",
        "    const usage = yield* ledger.usage(organization.org_id, queryOf(limits))\n    yield* ledger.transact(\n      {\n        orgId: organization.org_id,\n        subject: { _tag: \"Contact\", contactId: \"\" },\n        exclusive: false,\n        now: limits.now,\n        usage: queryOf(limits)\n      },\n      () => Result.succeed(decide(null, { counted: { ...nothing, kinds: { lead_export: 1 } } }))\n    ).pipe(Effect.catchTag(\"ACTION_IN_PROGRESS\", Effect.die))\n"
      ),
      edit(
        core("account/AllowanceReader"),
        "import { Clock, Effect } from \"effect\"",
        "import { Clock, Effect, Result } from \"effect\"\nimport { decide } from \"../credit/LedgerDecision.ts\"\nimport { nothing } from \"../limit/Usage.ts\""
      )
    ],
    test: contractInMemory,
    title: "what is told of the allowance adds up"
  },
  {
    name: "a request over its minute is let in to the handler",
    law: "F1",
    edits: [
      edit(
        core("access/Admission"),
        "if (!minute.admitted) return",
        "if (!minute.admitted && organization.name === \"\") return"
      )
    ],
    test: "packages/cli/test/RateLaws.integration.test.ts",
    title: "one counter for a key over REST and MCP"
  },
  {
    name: "a refused call takes a credit of each grant",
    law: "F2",
    edits: [edit(
      core("memory/credit/LedgerMemory"),
      "const decision = yield* Effect.fromResult(decide(snapshot))",
      "const decision = yield* Effect.fromResult(decide(snapshot)).pipe(\n" +
        "  Effect.tapError(() => Effect.sync(() => {\n" +
        "    const account = accountOf(orgId)\n" +
        "    const left = (grant) => ({ ...grant, remaining: Math.max(0, grant.remaining - 1) })\n" +
        "    const grants = new Map([...account.grants].map(([ref, grant]) => [ref, left(grant)]))\n" +
        "    state.accounts.set(orgId, { ...account, grants })\n" +
        "  }))\n" +
        ")"
    )],
    test: lawsInMemory,
    title: "a refused call anywhere in a trace"
  },
  {
    name: "whoever has much is refused",
    law: "F3",
    edits: [edit(core("credit/Charge"), "if (available < price)", "if (available < price || available > 30)")],
    test: lawsInMemory,
    title: "more credits never turn an accepted trace into a refusal"
  },
  {
    name: "an id in upper case is another one",
    law: "F4",
    edits: [edit(core("operation/Uuid"), "const lower = text.toLowerCase()", "const lower = text")],
    test: lawsInMemory,
    title: "other ids, another door"
  },
  {
    name: "an organization sees what another one paid for",
    law: "F5",
    edits: [edit(
      core("memory/property/PropertyReading"),
      "const access = (propertyId: string): AccessRecord | undefined => account?.properties.get(propertyId)",
      "const access = (propertyId: string): AccessRecord | undefined =>\n" +
        "  [...state.accounts.values()].flatMap(({ properties }) => properties.get(propertyId) ?? [])[0]"
    )],
    test: lawsInMemory,
    title: "two organizations on the same items"
  },
  {
    name: "a lead that moves is announced again",
    law: "M1",
    edits: [edit(
      leadFunctions,
      "IF p_expected = 0 THEN\n      INSERT INTO event",
      "IF p_expected = 0 OR changed THEN\n      INSERT INTO event"
    )],
    test: leadsOverPostgres,
    title: "any sequence of wishes"
  },
  {
    name: "a won lead goes back to contact",
    law: "M2",
    edits: [edit(
      core("pipeline/Moves"),
      "won: [\"active_opportunity\", \"lost\"]",
      "won: [\"attempted_contact\", \"active_opportunity\", \"lost\"]"
    )],
    test: "packages/core/test/pipeline/Moves.test.ts",
    title: "from won"
  },
  {
    name: "the history forgets where a lead came from",
    law: "M3",
    edits: [edit(leadFunctions, "p_move ->> 'from', l.status", "l.status, l.status")],
    test: leadsOverPostgres,
    title: "any sequence of wishes"
  },
  {
    name: "the last writer wins",
    law: "M4",
    edits: [edit(
      leadFunctions,
      "AND n.property_id = p_property_id AND n.version = p_expected\n      RETURNING",
      "AND n.property_id = p_property_id\n      RETURNING"
    )],
    test: leadsOverPostgres,
    title: "a change of another version"
  },
  {
    name: "the cap is looked at for nothing",
    law: "M5",
    edits: [edit(
      core("pipeline/LeadMover"),
      "\"agent_pipeline_change\", 1)",
      "\"agent_pipeline_change\", 0)"
    )],
    test: leadsOverPostgres,
    title: "exactly as many take effect"
  },
  {
    name: "a change that found another version is counted",
    law: "M5",
    edits: [edit(core("memory/pipeline/PipelineMemory"), "if (Option.isSome(lead)) {", "if (Option.isOption(lead)) {")],
    test: "packages/core/test/memory/pipeline/PipelineMemory.test.ts",
    title: "what is refused, what changed in flight"
  },
  {
    name: "a customer who stays one is a change",
    law: "M6",
    edits: [edit(leadFunctions, "was_customer <> (p_customer = 'active')", "p_customer IS NOT NULL")],
    test: leadsOverPostgres,
    title: "records one lead.changed"
  },
  {
    name: "the items of a batch share a charge",
    law: "S1",
    edits: [edit(runsMemory, "chargeEntry: charges[index] ?? 0", "chargeEntry: charges[0] ?? 0")],
    test: runsInMemory,
    title: "a batch is charged as a whole"
  },
  {
    name: "what failed may fail again",
    law: "S2",
    edits: [edit(runsMemory, "transition(item.state, \"Fail\")", "transition(\"running\", \"Fail\")")],
    test: runsInMemory,
    title: "what fails is given back once"
  },
  {
    name: "a subject is researched as often as one asks",
    law: "S3",
    edits: [edit(
      core("memory/research/LaunchRefusals"),
      "const active = activeItems(state,",
      "const active = activeItems({ ...state, researchRuns: new Map() },"
    )],
    test: runsInMemory,
    title: "a property is researched once at a time"
  },
  {
    name: "each moment of a month grants anew",
    law: "G1",
    edits: [edit(core("credit/MonthlyGrant"), ".slice(0, 7)", ".slice(0, 23)")],
    test: monthlyGrants,
    title: "are made once a month"
  },
  {
    name: "who is suspended is granted credits",
    law: "G2",
    edits: [edit(core("credit/MonthlyGrant"), " || snapshot.organization.status !== \"active\"", "")],
    test: monthlyGrants,
    title: "are made once a month"
  },
  {
    name: "what a month brought outlives it",
    law: "G3",
    edits: [
      edit(core("credit/MonthlyGrant"), "=== true ? null : nextMonth(now)", "=== true ? null : nextMonth(now) + 1")
    ],
    test: monthlyGrants,
    title: "are made once a month"
  },
  {
    name: "a document's switch waits for the next month",
    law: "G4",
    edits: [edit(
      core("provision/Apply"),
      "      grantTo(wanted),",
      "      grantTo({ ...wanted, monthly_grant: false }),"
    )],
    test: monthlyGrants,
    title: "come at once where the switch goes on"
  }
]
