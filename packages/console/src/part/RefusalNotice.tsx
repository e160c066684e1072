/** A refusal, as a screen shows it: what happened, and what can be done. */
import { Refused } from "../service/Call.ts"
import { wordsOf } from "../service/Refusals.ts"
import style from "./RefusalNotice.module.css"

interface Issue {
  readonly field: string | null
  readonly message: string
}

const issuesOf = ({ detail }: Refused): ReadonlyArray<Issue> => Array.isArray(detail["issues"]) ? detail["issues"] : []

export const RefusalNotice = ({ error }: { readonly error: unknown }) => {
  if (!(error instanceof Refused)) throw error
  const { next, sentence } = wordsOf(error)
  const issues = issuesOf(error)
  return (
    <div className={style["notice"]} role="alert">
      <p>
        <strong>{sentence}</strong> {next}
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
