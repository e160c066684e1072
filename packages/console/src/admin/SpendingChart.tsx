/** What was spent each day, as bars. Whoever cannot see them has the table beside it. */
import { dayOf, number } from "../part/Wording.ts"
import style from "./Admin.module.css"

const dayMillis = 86_400_000
const height = 100
const gap = 2
const width = 8

/** Every day from the first on, those without a charge too. */
const everyDay = (since: string, count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, index) => new Date(Date.parse(since) + index * dayMillis).toISOString().slice(0, 10)
  )

export const SpendingChart = ({ days, since, spent }: {
  /** The first day. */
  readonly since: string
  readonly days: number
  readonly spent: ReadonlyMap<string, number>
}) => {
  const highest = Math.max(1, ...spent.values())
  const all = everyDay(since, days)
  return (
    <figure className={style["chart"]}>
      <svg
        aria-label={`Credits spent a day since ${since}; at most ${number(Math.max(0, ...spent.values()))}`}
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${days * width} ${height}`}
      >
        {all.map((day, index) => {
          const bar = Math.round(((spent.get(day) ?? 0) / highest) * height)
          return <rect height={bar} key={day} width={width - gap} x={index * width} y={height - bar} />
        })}
        <rect height={1} width={days * width} x={0} y={height - 1} />
      </svg>
      <figcaption>
        <span>{dayOf(since)}</span>
        <span>at most {number(Math.max(0, ...spent.values()))} a day</span>
        <span>{dayOf(all.at(-1) ?? since)}</span>
      </figcaption>
    </figure>
  )
}
