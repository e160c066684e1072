/**
 * The answer of a researcher that took a job: what it found, in the words of an import.
 *
 * | outcome             | what it holds                                                                            |
 * | ------------------- | ---------------------------------------------------------------------------------------- |
 * | complete or partial | `research`, `contact`, `organization` or `strategy`, as the job's action needs           |
 * | failed              | nothing; `reason` may say `refused` instead of `nothing_found`                           |
 *
 * `research`, `contact` and `organization` are the fields of an import row about the job's own subject, without its key;
 * `contacts` and `organizations` are whole rows about others, with theirs. Each is checked by the rules of an import, and
 * an answer with a fault in it has no effect, so that it can be mended and sent again.
 */
import { Clock, DateTime, Effect, Option, Result, Schema } from "effect"
import type { ImportKind } from "../import/ImportKind.ts"
import { type ImportBatch, parsers } from "../import/ImportRow.ts"
import type { RowContext, RowFault } from "../import/RowReading.ts"
import { decoder, type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Uuid } from "../operation/Uuid.ts"
import { type ResearchAction, type ResearchJob, Strategy } from "./ResearchRun.ts"
import { type Delivered, type Ending, ResearchRuns } from "./ResearchRuns.ts"

const Row = Schema.Record(Schema.String, Schema.Unknown)

const Answer = Schema.Struct({
  job_id: Uuid,
  outcome: Schema.Literals(["complete", "partial", "failed"]),
  reason: Schema.optionalKey(Schema.Literals(["nothing_found", "refused"])),
  research: Schema.optionalKey(Row),
  contact: Schema.optionalKey(Row),
  organization: Schema.optionalKey(Row),
  strategy: Schema.optionalKey(Strategy),
  contacts: Schema.optionalKey(Schema.Array(Row)),
  organizations: Schema.optionalKey(Schema.Array(Row))
})
type Answer = typeof Answer.Type

const decode = decoder<typeof Answer.Type, typeof Answer.Encoded>(Answer)

/** What an answer about the action must hold. */
const needed: Readonly<Record<ResearchAction, "research" | "contact" | "organization" | "strategy">> = {
  research_property: "research",
  research_contact: "contact",
  research_organization: "organization",
  find_email: "contact",
  deep_research_contact: "strategy",
  draft_email: "strategy"
}

interface Read {
  readonly rows: ReadonlyArray<ImportBatch>
  readonly issues: ReadonlyArray<InputIssue>
}

const pathOf = (name: string, fault: RowFault): string => fault.field === null ? name : `${name}.${fault.field}`

const rowsOf = (answer: Answer, { subjectKey }: ResearchJob, context: RowContext): Read => {
  const issues: Array<InputIssue> = []
  const rows: Array<ImportBatch> = []
  const read = <R>(
    name: string,
    row: unknown,
    parse: (input: unknown, context: RowContext) => Result.Result<R, ReadonlyArray<RowFault>>
  ): ReadonlyArray<R> => {
    const parsed = parse(row, context)
    if (Result.isSuccess(parsed)) return [parsed.success]
    issues.push(...parsed.failure.map((fault) => ({ field: pathOf(name, fault), message: fault.reason })))
    return []
  }
  const all = <R>(
    name: string,
    given: ReadonlyArray<unknown> | undefined,
    parse: (input: unknown, context: RowContext) => Result.Result<R, ReadonlyArray<RowFault>>
  ): ReadonlyArray<R> => (given ?? []).flatMap((row, index) => read(`${name}[${index}]`, row, parse))

  // Firms first, since people may be of them.
  const firms = [
    ...answer.organization === undefined
      ? []
      : read("organization", { ...answer.organization, key: subjectKey }, parsers.firms),
    ...all("organizations", answer.organizations, parsers.firms)
  ]
  const contacts = [
    ...answer.contact === undefined ? [] : read("contact", { ...answer.contact, key: subjectKey }, parsers.contacts),
    ...all("contacts", answer.contacts, parsers.contacts)
  ]
  const research = answer.research === undefined
    ? []
    : read("research", { ...answer.research, propertyKey: subjectKey }, parsers.research)
  if (firms.length > 0) rows.push({ kind: "firms", rows: firms })
  if (contacts.length > 0) rows.push({ kind: "contacts", rows: contacts })
  if (research.length > 0) rows.push({ kind: "research", rows: research })
  return { rows, issues }
}

/** What the answer says about the job, or every fault in it. null: it failed. */
const deliveredOf = (
  answer: Answer,
  job: ResearchJob,
  context: RowContext
): Result.Result<Delivered | null, ReadonlyArray<InputIssue>> => {
  if (answer.outcome === "failed") return Result.succeed(null)
  const needs = needed[job.action]
  const { issues, rows } = rowsOf(answer, job, context)
  const missing: ReadonlyArray<InputIssue> = answer[needs] === undefined
    ? [{ field: needs, message: `Expected ${needs} in an answer to ${job.action}` }]
    : job.action === "find_email" && typeof answer.contact?.["email"] !== "string"
    ? [{ field: "contact.email", message: "Expected the email that was found" }]
    : []
  // An answer about one kind of subject says nothing about the job's own as another kind.
  const astray = (["research", "contact", "organization"] as const).flatMap((name): ReadonlyArray<InputIssue> =>
    answer[name] === undefined || name === needs || name === "contact" && needs === "strategy"
      ? []
      : [{ field: name, message: `${job.action} is about something else` }]
  )
  const all = [...issues, ...missing, ...astray]
  return all.length > 0 ? Result.fail(all) : Result.succeed({
    partial: answer.outcome === "partial",
    rows,
    result: answer.strategy === undefined ? null : { _tag: "Strategy", strategy: answer.strategy }
  })
}

/** Where rows come from: the host makes their ids. */
export type IdOf = (kind: ImportKind, key: string) => string

/**
 * Records an answer, once: a late one and a second one change nothing, and are told so. Whether it is genuine is the
 * host's to find out.
 */
export const make = Effect.fnUntraced(function*(idOf: IdOf) {
  const runs = yield* ResearchRuns
  return Effect.fn("ResearchAnswer.receive")(
    function*(input: unknown): Effect.fn.Return<Ending, InvalidInput | TemporarilyUnavailable> {
      const answer = yield* Effect.fromResult(decode(input))
      const jobId = answer.job_id.toLowerCase()
      const job = yield* runs.job(jobId)
      // Drafts are written here.
      if (Option.isNone(job) || job.value.action === "draft_email") return "unknown"
      const year = DateTime.getPartUtc(DateTime.makeUnsafe(yield* Clock.currentTimeMillis), "year")
      const read = deliveredOf(answer, job.value, { idOf, latestYear: year + 1 })
      if (Result.isFailure(read)) return yield* new InvalidInput({ issues: read.failure })
      if (read.success === null) return yield* runs.fail(jobId, answer.reason ?? "nothing_found")
      return yield* runs.deliver(jobId, read.success).pipe(
        Effect.catchTag("DeliveryRejected", ({ faults }) =>
          Effect.fail(
            new InvalidInput({
              issues: faults.map(({ field, index, kind, reason }) => ({
                field: `${kind}[${index}]${field === null ? "" : `.${field}`}`,
                message: reason
              }))
            })
          ))
      )
    }
  )
})
