/** A refusal, as a screen shows it: what happened, what can be done, and where. */
import { addressOf, Link } from "../app/Router.tsx"
import { Refused } from "../service/Call.ts"
import { stepOf, wordsOf } from "../service/Refusals.ts"
import { useIsAdmin } from "../service/Session.tsx"
import style from "./RefusalNotice.module.css"
import { joined, number, plural } from "./Wording.ts"

interface Issue {
  readonly field: string | null
  readonly message: string
}

const issuesOf = ({ detail }: Refused): ReadonlyArray<Issue> => Array.isArray(detail["issues"]) ? detail["issues"] : []

/** When it may be tried again, where the service knows it. */
const waitOf = ({ detail: { retryAfterSeconds: seconds } }: Refused): string | null =>
  typeof seconds !== "number" || seconds < 1
    ? null
    : seconds < 120
    ? `It may be tried again in ${plural(seconds, "second", "seconds")}.`
    : `It may be tried again in ${plural(Math.ceil(seconds / 60), "minute", "minutes")}.`

/** By what the people who run the service find the fault. */
const traceOf = ({ code, detail: { requestId } }: Refused): string | null =>
  code === "FAULT" && typeof requestId === "string" ? `Tell whoever runs this service the request ${requestId}.` : null

/** What was done of several before one was refused; null: nothing. */
export const partOf = (done: number, all: number, participle: string): string | null =>
  done === 0 ? null : `${number(done)} of ${number(all)} ${done === 1 ? "was" : "were"} ${participle}.`

export const RefusalNotice = ({ done = null, error }: {
  readonly error: unknown
  /** What was done before the refusal, in place of that nothing was. */
  readonly done?: string | null
}) => {
  const isAdmin = useIsAdmin()
  if (!(error instanceof Refused)) throw error
  const words = wordsOf(error)
  const { nothing, sentence } = words
  const { next, way } = stepOf(words, isAdmin)
  const issues = issuesOf(error)
  return (
    <div className={style["notice"]} role="alert">
      <p>
        <strong>{joined(done === null ? [sentence, nothing ?? null] : [done, sentence], " ")}</strong> {next}{" "}
        {waitOf(error)} {traceOf(error)}
        {way !== undefined && <Link to={addressOf(way.page, way.parameters)}>{way.label}</Link>}
      </p>
      {issues.length > 0 && (
        <ul>
          {issues.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{field === null ? message : `${field}: ${message}`}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
