/** Who changed what, and what the admins were told. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call, type Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked } from "./Asking.tsx"
import { momentOf, wordsOf } from "./Words.ts"

type Entry = Output<"app_list_administration">["entries"][number]

const start: { readonly cursor?: string } = {}

export const LogPage = () => {
  const notices = useAsked("app_list_notices", {})
  return (
    <>
      <Answered<"app_list_notices"> asked={notices}>
        {({ notices }) =>
          notices.length === 0 ? null : (
            <section className={style["box"]} aria-labelledby="notices">
              <h2 id="notices">Notices of the last 90 days</h2>
              <ul>
                {notices.map(({ created_at, id, text }) => <li key={id}>{momentOf(created_at)}: {text}</li>)}
              </ul>
            </section>
          )}
      </Answered>
      <Log />
    </>
  )
}

const Log = () => {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ["admin", "app_list_administration"],
    queryFn: async ({ pageParam, signal }) => (await call("app_list_administration", pageParam, signal)).data,
    initialPageParam: start,
    getNextPageParam: ({ next_cursor }) => next_cursor === null ? null : { cursor: next_cursor }
  })
  if (error !== null) return <RefusalNotice error={error} />
  if (data === undefined) return <p role="status">One moment…</p>
  const entries = data.pages.flatMap(({ entries }) => entries)
  return (
    <section className={style["box"]} aria-label="Changes">
      {entries.length === 0 ?
        <p>Nothing was changed yet.</p> :
        (
          <div className={style["scroll"]} tabIndex={0} role="region" aria-label="Table of changes">
            <table>
              <caption>Changes of keys, members and settings of the last two years, the newest first.</caption>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">What</th>
                  <th scope="col">Of</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <tr key={entry.id}>
                    <td>{momentOf(entry.at)}</td>
                    <td>{actorOf(entry)}</td>
                    <th scope="row">{wordsOf(entry.action)}</th>
                    <td>{entry.subjectName}</td>
                    <td>
                      <Side side={entry.before} />
                    </td>
                    <td>
                      <Side side={entry.after} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      {hasNextPage && (
        <button
          className="plain"
          disabled={isFetching}
          onClick={() => void fetchNextPage()}
          type="button"
        >
          Show more
        </button>
      )}
    </section>
  )
}

const actorOf = ({ actor: { kind, name } }: Entry): string => kind === "operator" ? "The operator" : name ?? kind

const told = (value: unknown): string =>
  value === null ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value)

const Side = ({ side }: { readonly side: Entry["before"] }) =>
  side === null ? <span className={style["quiet"]}>–</span> : (
    <>
      {Object.entries(side).map(([field, value]) => <div key={field}>{wordsOf(field)}: {told(value)}</div>)}
    </>
  )
