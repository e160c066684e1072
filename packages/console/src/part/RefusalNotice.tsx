/** A refusal, as a screen shows it: what happened, what can be done, and where; a read that may go better can be made again. */
import { useQueryClient } from "@tanstack/react-query"
import { use } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { Refused } from "../service/Call.ts"
import { isPassing, stepOf, wordsOf } from "../service/Refusals.ts"
import { useIsAdmin } from "../service/Session.tsx"
import { isOfNoRecord, type Issue, IssueWords } from "./Issues.ts"
import { PropertyLine } from "./RecordLink.tsx"
import style from "./RefusalNotice.module.css"
import { useNames } from "./useNames.ts"
import { joined, number, plural } from "./Wording.ts"

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

/** The property that has to be opened first; null: it wants none, or does not say which. */
const openingOf = ({ code, detail: { property_id: property } }: Refused): string | null =>
  (code === "PROPERTY_UNLOCK_REQUIRED" || code === "CONTACT_REVEAL_REQUIRED") && typeof property === "string"
    ? property
    : null

const Opening = ({ isPerson, property }: {
  /** It is a person who is locked. */
  readonly isPerson: boolean
  readonly property: string
}) => {
  const names = useNames({ properties: [property] })
  return (
    <p>
      {isPerson ? "They open with the research of" : "It is"} <PropertyLine id={property} names={names} />
    </p>
  )
}

/** What was done of several before one was refused; null: nothing. */
export const partOf = (done: number, all: number, participle: string): string | null =>
  done === 0 ? null : `${number(done)} of ${number(all)} ${done === 1 ? "was" : "were"} ${participle}.`

/** Reads anew what failed with this very error; null: it was no read, or would fail again. */
const useAgain = (error: Refused): (() => void) | null => {
  const client = useQueryClient()
  const failed = client.getQueryCache().getAll().filter(({ state }) => state.error === error)
  return failed.length === 0 || !isPassing(error) ? null : () => {
    for (const query of failed) void client.refetchQueries({ queryKey: query.queryKey, exact: true })
    // The notice goes, and its button with it.
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
  }
}

interface Shown<Error> {
  readonly error: Error
  /** What was done before the refusal, in place of that nothing was. */
  readonly done?: string | null
  /** Nobody asked for it yet: it is told beforehand, and calmly. */
  readonly isHint?: boolean
}

export const RefusalNotice = ({ error, ...shown }: Shown<unknown>) => {
  if (!(error instanceof Refused)) throw error
  return <Notice {...shown} error={error} />
}

const Notice = ({ done = null, error, isHint = false }: Shown<Refused>) => {
  const isAdmin = useIsAdmin()
  const again = useAgain(error)
  const textOf = use(IssueWords)
  const all = issuesOf(error)
  const isOfNone = all.length > 0 && all.every(isOfNoRecord)
  const words = wordsOf(isOfNone ? new Refused("NOT_FOUND", error.message) : error)
  const { nothing, sentence } = words
  const { next, way } = stepOf(words, isAdmin)
  const issues = isOfNone ? [] : all
  const opening = openingOf(error)
  return (
    <div className={isHint ? style["hint"] : style["notice"]} role={isHint ? "note" : "alert"}>
      <p>
        <strong>{joined(done === null ? [sentence, nothing ?? null] : [done, sentence], " ")}</strong> {next}{" "}
        {waitOf(error)} {traceOf(error)}
        {way !== undefined && <Link to={addressOf(way.page, way.parameters)}>{way.label}</Link>}
      </p>
      {opening !== null && <Opening isPerson={error.code === "CONTACT_REVEAL_REQUIRED"} property={opening} />}
      {issues.length > 0 && (
        <ul>
          {issues.map((issue) => <li key={`${issue.field} ${issue.message}`}>{textOf(issue)}</li>)}
        </ul>
      )}
      {again !== null && (
        <p>
          <button className="plain" onClick={again} type="button">Try again</button>
        </p>
      )}
    </div>
  )
}
