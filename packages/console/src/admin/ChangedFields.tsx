/** What was changed, field by field; and all of it as it was written down, for whoever asks. */
import style from "./Admin.module.css"
import { changesOf, isShortened, type Side } from "./Changed.ts"

export const ChangedFields = ({ after, before, countyOf }: {
  readonly before: Side
  readonly after: Side
  readonly countyOf: (fips: string) => string
}) => {
  const changes = changesOf(before, after, countyOf)
  if (changes.length === 0) return <span className="quiet">–</span>
  return (
    <>
      <ul className={style["changed"]}>
        {changes.map(({ field, words }, index) => (
          <li key={`${field} ${index}`}>
            {field !== "" && <span className="quiet">{field}:</span>} {words}
          </li>
        ))}
      </ul>
      {isShortened(before, after) && (
        <details>
          <summary>As it was written down</summary>
          <pre className={style["written"]}>{JSON.stringify({ before, after }, null, 2)}</pre>
        </details>
      )}
    </>
  )
}
