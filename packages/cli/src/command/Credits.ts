/** `freehold credits`: the ledger of an organization. */
import { Bucket, total } from "@freehold/core/credit/Bucket"
import { decideGrant, maximumBalance } from "@freehold/core/credit/Grant"
import { Ledger } from "@freehold/core/credit/Ledger"
import { type LedgerEntry, maximumEntry } from "@freehold/core/credit/LedgerEntry"
import { decideRefund } from "@freehold/core/credit/Refund"
import { Clock, DateTime, Effect, Option, type Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { accounting } from "../LazyComposition.ts"
import { type Accountable, accountable, accountably, operatorNamed } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { expiresFlag } from "./MomentFlag.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"
import { spendable } from "./Spendable.ts"

const pageSize = 1000

const show = Command.make(
  "show",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id } = yield* findOrganization(input.org)
    yield* print(
      input.json,
      { org_id, ...yield* spendable(org_id) },
      ({ credit_balance, usage }) =>
        record([
          ["org_id", org_id],
          ...Object.entries(credit_balance),
          ["exports", `${usage.exports_used} since ${usage.period_start.slice(0, 10)}`]
        ])
    )
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Show what an organization can spend, by bucket, and what it exported this month"),
  Command.withExamples([{ command: "freehold credits show --org org_acme", description: "The balance of org_acme" }])
)

const text = (name: string) =>
  Flag.String(name).pipe(
    Flag.filter((value) => value.trim() !== "" && value.length <= 200, () => "Expected 1 to 200 characters")
  )

/** What became of a command about credits. */
interface Booked {
  readonly entry: number
  readonly outcome: "created" | "unchanged"
}

/** Prints an entry of the ledger and what the command had to do with it. */
const printEntry = Effect.fnUntraced(function*(
  asJson: boolean,
  orgId: string,
  made: Booked
) {
  const [entry] = yield* Ledger.use((ledger) => ledger.entries(orgId, { after: made.entry - 1, limit: 1 }))
  if (entry === undefined) return yield* Effect.die(`entry ${made.entry} of ${orgId} is missing`)
  yield* print(asJson, { ...entry, outcome: made.outcome }, (shown) =>
    record([
      ["outcome", shown.outcome],
      ["entry", shown.entry],
      ["kind", shown.kind],
      ["ref", shown.ref],
      ["credits", shown.credits],
      ["balance_after", shown.balance_after]
    ]))
})

/** Books it and writes down what that made of the credits; what was booked before changes nothing. */
const booking = Effect.fnUntraced(function*<Refusal, R>(
  input: Accountable & { readonly org: string },
  book: (orgId: string, now: number) => Effect.Effect<Booked, Refusal, R>,
  done: {
    readonly action: "credits.granted" | "credits.refunded"
    readonly subject: string
    readonly of: Readonly<Record<string, Schema.Json>>
  }
) {
  const { name, org_id: orgId } = yield* findOrganization(input.org)
  const now = yield* Clock.currentTimeMillis
  const credits = Ledger.use((ledger) => Effect.map(ledger.balance(orgId, now), ({ balance }) => total(balance)))
  const booked = Effect.all({ before: credits, made: book(orgId, now), after: credits })
  const { made } = yield* accountably(
    input,
    booked,
    ({ after, before, made }) =>
      made.outcome === "unchanged" ? null : {
        action: done.action,
        orgId,
        subject: done.subject,
        told: { id: orgId, name },
        before: { credits: before },
        after: { credits: after, entry: made.entry, ...done.of }
      }
  )
  return { orgId, made }
})

const grant = Command.make(
  "grant",
  {
    org,
    bucket: Flag.Literals("bucket", Bucket.literals).pipe(Flag.withDescription("Where the credits go")),
    amount: wholeNumberFlag("amount", { least: 1, most: maximumBalance }).pipe(
      Flag.withDescription("How many credits")
    ),
    ref: text("ref").pipe(
      Flag.withMetavar("R"),
      Flag.withDescription("Your own reference; a known one grants nothing")
    ),
    expires: expiresFlag("When the credits expire; never by default"),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const ledger = yield* Ledger
    const actor = yield* operatorNamed(input.as)
    const { amount, bucket, ref } = input
    const expiresAt = Option.getOrNull(input.expires)
    const { made, orgId } = yield* booking(
      input,
      (orgId, now) =>
        ledger.transact(
          { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
          (snapshot) => decideGrant(snapshot, { ref, bucket, amount, expiresAt, actor, requestId: null, now })
        ),
      {
        action: "credits.granted",
        subject: `${amount} ${bucket}, ${ref}`,
        of: {
          amount,
          bucket,
          ref,
          expires_at: expiresAt === null ? null : DateTime.formatIso(DateTime.makeUnsafe(expiresAt))
        }
      }
    )
    yield* printEntry(input.json, orgId, made)
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Give credits to an organization, once for each reference"),
  Command.withExamples([{
    command: "freehold credits grant --org org_acme --bucket purchased --amount 100 --ref invoice-1042",
    description: "100 paid credits; running it again changes nothing"
  }])
)

const ledger = Command.make(
  "ledger",
  {
    org,
    after: wholeNumberFlag("after", { least: 0, most: maximumEntry }).pipe(
      Flag.withDescription("Only entries after this number"),
      Flag.withDefault(0)
    ),
    limit: wholeNumberFlag("limit", { least: 1 }).pipe(
      Flag.withDescription("At most so many entries; all by default"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const ledger = yield* Ledger
    const wanted = Option.getOrElse(input.limit, () => Number.POSITIVE_INFINITY)
    const found: Array<LedgerEntry> = []
    let more = true
    // One more than wanted tells whether there is a further page.
    while (more && found.length <= wanted) {
      const page = yield* ledger.entries(orgId, { after: found.at(-1)?.entry ?? input.after, limit: pageSize })
      found.push(...page)
      more = page.length === pageSize
    }
    const entries = found.slice(0, wanted)
    const last = entries.at(-1)
    yield* print(
      input.json,
      { entries, next_cursor: found.length > entries.length && last !== undefined ? String(last.entry) : null },
      (shown) =>
        table(
          ["entry", "at", "kind", "action", "subject", "credits", "balance_after", "ref", "by"],
          shown.entries.map((entry) => [
            entry.entry,
            entry.at,
            entry.kind,
            entry.action,
            entry.subject_id,
            entry.credits,
            entry.balance_after,
            entry.ref,
            entry.actor.name ?? entry.actor.kind
          ])
        )
    )
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("List the entries of an organization's ledger, the oldest first"),
  Command.withExamples([{
    command: "freehold credits ledger --org org_acme --json",
    description: "Everything, as JSON"
  }])
)

const refund = Command.make(
  "refund",
  {
    org,
    entry: wholeNumberFlag("entry", { least: 1, most: maximumEntry }).pipe(
      Flag.withDescription("Number of the charge in the ledger")
    ),
    as: accountable.as,
    reason: text("reason").pipe(Flag.withDescription("Why, for whoever reads the ledger")),
    json
  },
  Effect.fn(function*(input) {
    const ledger = yield* Ledger
    const actor = yield* operatorNamed(input.as)
    const { entry, reason } = input
    const { made, orgId } = yield* booking(
      { ...input, reason: Option.some(reason) },
      (orgId, now) =>
        ledger.transact(
          { orgId, subject: { _tag: "Entry", entry }, exclusive: false, now },
          (snapshot) => decideRefund(snapshot, { actor, reason, requestId: null, now })
        ),
      { action: "credits.refunded", subject: `entry ${entry}`, of: { refund_of: entry } }
    )
    yield* printEntry(input.json, orgId, made)
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Give a charge back, once; what it had opened is closed again"),
  Command.withExamples([{
    command: "freehold credits refund --org org_acme --entry 7 --reason \"wrong building\"",
    description: "Take entry 7 back"
  }])
)

export const creditsCommand = Command.make("credits").pipe(
  Command.withExamples([{ command: "freehold credits show --org org_acme", description: "The balance of org_acme" }]),
  Command.withSubcommands([show, grant, ledger, refund])
)
