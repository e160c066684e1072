/** The commands that show a single record as it is stored: what they have in common. */
import { Effect, Option, Predicate } from "effect"
import type { SqlError } from "effect/sql"
import { CommandRefused } from "../CommandRefused.ts"
import { type Cell, print, record, table } from "../Output.ts"

type Fields = Readonly<Record<string, unknown>>

const cellOf = (value: unknown): Cell =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
    ? value
    : JSON.stringify(value)

const isAttached = (value: unknown): value is ReadonlyArray<Fields> =>
  Array.isArray(value) && value.every(Predicate.isObject)

/** The fields, and below them a table for each list. */
const lines = (found: Fields): string => {
  const lists = Object.entries(found).flatMap(([name, value]) => isAttached(value) ? [[name, value] as const] : [])
  const fields = Object.entries(found).flatMap(([name, value]) =>
    isAttached(value) ? [] : [[name, cellOf(value)] as const]
  )
  return [
    record(fields),
    ...lists.map(([name, items]) => {
      const headings = [...new Set(items.flatMap((item) => Object.keys(item)))]
      return `${name}:\n${table(headings, items.map((item) => headings.map((heading) => cellOf(item[heading]))))}`
    })
  ].join("\n\n")
}

/** Prints the record; refuses when there is none. */
export const show = Effect.fnUntraced(function*<R>(
  asJson: boolean,
  what: string,
  find: Effect.Effect<Option.Option<Fields>, SqlError.SqlError, R>
) {
  const found = yield* find.pipe(
    Effect.catchTag(
      "SqlError",
      (error) =>
        Effect.flatMap(
          Effect.promise(() => import("../DatabaseFault.ts")),
          ({ faultOf }) => Effect.fail(faultOf(error))
        )
    )
  )
  if (Option.isNone(found)) return yield* new CommandRefused({ reason: `there is no ${what}` })
  yield* print(asJson, found.value, lines)
})
