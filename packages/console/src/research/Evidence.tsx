/** What a run of research found: whom it is about, and the words that it rests on, with where they stand. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { addressOf, Link } from "../app/Router.tsx"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { SubjectLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useNames } from "../part/useNames.ts"
import { isWeb } from "../part/Web.ts"
import { joined } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { hasEvidence, type Status } from "./Runs.ts"

export const Evidence = ({ run }: { readonly run: Status }) => {
  const { finished_at, next_cursor, run_id } = run
  // Read when they are asked for, and not again while the run is looked at, since whom a page tells of counts. Once it has
  // ended, or when the first page ends elsewhere, what was found meanwhile may stand on any of them.
  const others = useInfiniteQuery({
    queryKey: ["evidence", run_id, next_cursor, finished_at],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_get_research_status", { run_id, ...pageParam }, signal)).data,
    initialPageParam: next_cursor === null ? firstPage : { cursor: next_cursor },
    getNextPageParam: nextPage,
    enabled: false,
    gcTime: 0
  })
  const pages = [run, ...knownOf(others)?.pages ?? []]
  const told = pages.flatMap(({ evidence }) => evidence)
  const names = useNames({
    contacts: told.flatMap(({ subject_id, subject_type }) => subject_type === "contact" ? [subject_id] : [])
  })
  if (!hasEvidence(run)) return null
  return (
    <>
      <ul className={style["lines"]}>
        {told.map(({ quote, read_at, source_url, subject_id, subject_type, values }, index) => (
          <li key={index}>
            <div>
              <SubjectLine id={subject_id} names={names} type={subject_type} />
              <div>{joined(values)}</div>
              <blockquote className={style["written"]}>{quote}</blockquote>
              <div className={style["quiet"]}>
                {isWeb(source_url)
                  ? <a href={source_url} rel="noreferrer" target="_blank">{source_url}</a>
                  : source_url}, read {momentOf(read_at)}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {pages.some(({ revealCapExceeded }) => revealCapExceeded) && (
        <p>
          The reveals of the day are used up. What shows how to reach some of the people is left out, and may be told
          again from midnight UTC. <Link to={addressOf("usage")}>Usage and limits</Link>
        </p>
      )}
      {others.error !== null && <RefusalNotice error={others.error} />}
      <ShowMore
        of={{ ...others, hasNextPage: others.data === undefined ? next_cursor !== null : others.hasNextPage }}
      />
    </>
  )
}
