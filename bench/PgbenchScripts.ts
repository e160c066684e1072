/**
 * Scripts of `pgbench` that run the statements of an unlock, with the text that the adapters send.
 *
 * What the product computes between the statements, `pgbench` cannot; small functions of the benchmark do it within the
 * statements: the id of the n-th property, the key hash of the k-th customer, the decision as JSON. They are inlined
 * expressions and cost some microseconds, in favour of the product.
 */
import { Schema } from "effect"
import { credits } from "./Customers.ts"
import type { Captured } from "./StatementCapture.ts"

export interface UnlockStatements {
  readonly authorize: Captured
  readonly standing: Captured
  readonly snapshot: Captured
  readonly commit: Captured
  /** Where the lock is taken first. */
  readonly open: Captured
}

/** The one call of a captured commit. */
const Call = Schema.Struct({
  kind: Schema.String,
  subject: Schema.String,
  exclusive: Schema.Boolean,
  usage: Schema.Json,
  now: Schema.Int,
  decision: Schema.Struct({
    version: Schema.Int,
    entries: Schema.Tuple([Schema.Record(Schema.String, Schema.Json)]),
    access: Schema.Tuple([Schema.Record(Schema.String, Schema.Json)]),
    newGrants: Schema.Json,
    exports: Schema.Json,
    month: Schema.Json
  }),
  counted: Schema.Json,
  expects: Schema.Null
})
const decodeCalls = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Tuple([Call])))

const callOf = ({ parameters }: Captured) => decodeCalls(parameters[2])[0]

/** The decision of a captured unlock with holes for version, entry, balance and property. */
const decisionTemplate = (captured: Captured): string => {
  const { decision } = callOf(captured)
  const [entry] = decision.entries
  const [access] = decision.access
  const holed = {
    ...decision,
    version: "%1$s",
    entries: [{ ...entry, entry: "%2$s", balance_after: "%3$s", subject_id: "%4$s" }],
    access: [{ ...access, id: "%4$s" }]
  }
  return JSON.stringify(holed).replaceAll(/"(%[123]\$s)"/g, "$1")
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** What is asked about a property. */
const question = (captured: Captured): string => {
  const { exclusive, kind, usage } = callOf(captured)
  return JSON.stringify({ kind, subject: "%1$s", exclusive, usage })
}

/** Functions, and keys of pgbench's own for so many customers. */
export const preparation = ({ commit }: UnlockStatements, buyers: number): ReadonlyArray<string> => [
  `CREATE FUNCTION bench_property(n integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    lpad(to_hex(n), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0')`,
  `CREATE FUNCTION bench_hash(k integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    lpad(to_hex(k), 64, '0')`,
  `CREATE FUNCTION bench_decision(version integer, property text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    format(${quoted(decisionTemplate(commit))}, version, version + 1, ${credits} - 10 * version, property)::jsonb`,
  // What limits ask and count is the same for every unlock.
  `CREATE FUNCTION bench_usage() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ${
    quoted(JSON.stringify(callOf(commit).usage))
  }`,
  `CREATE FUNCTION bench_counted() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ${
    quoted(JSON.stringify(callOf(commit).counted))
  }`,
  `CREATE FUNCTION bench_question(property text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    format(${quoted(`[${question(commit)}]`)}, property)`,
  `CREATE FUNCTION bench_call(version integer, property text, at_ms bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    format(${quoted(`[${question(commit).slice(0, -1)},"now":%2$s,"decision":%3$s,"counted":%4$s,"expects":null}]`)},
      property, at_ms, bench_decision(version, property), bench_counted())`,
  // The same unit of work as one function call, without a transaction of the client.
  `CREATE FUNCTION bench_unlock(org text, property text, at_ms bigint) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    opened record;
  BEGIN
    SELECT * INTO opened FROM ledger_open(org, 'Property', property, true, bench_usage()::jsonb);
    PERFORM ledger_apply(
      org, at_ms, bench_decision((opened.snapshot ->> 'version')::integer, property), bench_counted()::jsonb
    );
  END $$`,
  `INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes)
    SELECT gen_random_uuid(), 'bench_' || k, 'pgbench', 'pgbench', decode(bench_hash(k), 'hex'), '{data:unlock}'
    FROM generate_series(1, ${buyers}) AS k`
]

/** The statement with an expression of the script in place of each parameter. */
const filled = ({ text, parameters }: Captured, expressions: ReadonlyArray<string>): string => {
  if (expressions.length !== parameters.length) throw new Error(`expected ${parameters.length} parameters in ${text}`)
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => expressions[Number(number) - 1] ?? "")
}

/** Variables: `first` (number of the first property), `buyers`, `now`, `revision`, `i` (-1). */
const admission = ({ authorize, standing }: UnlockStatements): string => {
  const plan = authorize.parameters.slice(3).map((value) => value === null ? "null" : String(value))
  return `\\set i :i + 1
\\set n :first + 16 * :i + :client_id
\\set k 1 + mod(:n, :buyers)
${filled(authorize, ["bench_hash(:k)", ":now", ":revision", ...plan])} \\gset a_
${filled(standing, [":a_key_org", "bench_property(:n)"])} \\gset s_
`
}

/** The parameters of `ledger_commit_all` with the snapshot that was read. */
const commitParameters = [
  ":a_key_org",
  "(:o_snapshots::jsonb -> 0 ->> 'revision')",
  "bench_call((:o_snapshots::jsonb -> 0 ->> 'version')::integer, :s_id, :now)",
  "'[]'"
]

/** The transaction that takes the lock first, without the admission before it. */
const underLock = ({ commit, open }: UnlockStatements): string =>
  `BEGIN;
${filled(open, [":a_key_org", "bench_question(:s_id)"])} \\gset o_
${filled(commit, commitParameters)};
COMMIT;
`

/** The transaction as a call sends it within another one, or after a conflict. */
export const lockFirst = (statements: UnlockStatements): string => `${admission(statements)}${underLock(statements)}`

/**
 * Statement by statement, as the product sends them for one call alone. The product's calls stand in line within a
 * process and are written together; pgbench's clients know nothing of each other, so on one organization most of their
 * first attempts are in vain.
 */
export const sameStatements = (statements: UnlockStatements): string => {
  const { commit, snapshot } = statements
  return `${admission(statements)}${filled(snapshot, [":a_key_org", "bench_question(:s_id)"])} \\gset o_
SELECT c.outcomes[1] <> 'applied' AS in_vain FROM (${filled(commit, commitParameters)}) AS c \\gset c_
\\if :c_in_vain
${underLock(statements)}\\endif
`
}

/** The transaction as one function call. */
export const singleFunction = (statements: UnlockStatements): string =>
  `${admission(statements)}SELECT bench_unlock(:a_key_org, :s_id, :now);
`
