/**
 * Where a page ends, as a cursor for the next one: short, good for a day, and of its own question alone.
 *
 * A position is what the order compares, of the last row that was shown. So rows that come and go before it move nothing:
 * each row that is there all the while is answered once.
 */
import { Clock, Effect, Option, Predicate, Result, Schema, SchemaGetter } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import { CursorSeal, parsePayload } from "./CursorSeal.ts"
import { InvalidCursor } from "./InvalidCursor.ts"

const hourMillis = 3_600_000
const lifeHours = 24

/** What a cursor belongs to: whose it is, and which question. The order of keys does not matter. */
export type Question = ReadonlyArray<unknown>

const isShort = Schema.makeFilter((text: string) => text.length <= 2000 || "Expected at most 2000 characters")

/** What an argument may hold as a cursor. Where it comes from, each host says once for all of them. */
export const Cursor = Schema.String.check(isShort)

/** One that there is more to say of. */
export const cursorOf = (description: string) => Schema.String.annotate({ description }).check(isShort)

const inKeyOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inKeyOrder)
    : Predicate.isReadonlyObject(value)
    ? Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1).map((
        [key, part]
      ) => [key, inKeyOrder(part)])
    )
    : value

const boundOf = (question: Question): string => JSON.stringify(inKeyOrder(question))

const dashed = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** A lower-case id as the 22 letters that its bytes take. */
export const ShortId = Schema.String.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((short: string) =>
      Hex.encode(Result.getOrElse(Base64Url.decode(short), () => new Uint8Array())).replace(dashed, "$1-$2-$3-$4-$5")
    ),
    encode: SchemaGetter.transform((id: string) =>
      Base64Url.encode(Result.getOrElse(Hex.decode(id.replaceAll("-", "")), () => new Uint8Array()))
    )
  })
)

/** The last row that was shown of a list, newest first: when it was made, and its id. */
export const Recent = Schema.Tuple([Schema.String, ShortId])

const Value = Schema.Union([Schema.Null, Schema.String, Schema.Finite])

/** A place in an order by one value and then by id. */
export const Place = Schema.Tuple([Value, ShortId]).pipe(
  Schema.decodeTo(Schema.Struct({ value: Value, id: Schema.String }), {
    decode: SchemaGetter.transform(([value, id]) => ({ value, id })),
    encode: SchemaGetter.transform(({ id, value }) => [value, id] as const)
  })
)
export type Place = typeof Place.Type

/** Cursors whose position has this form; the shorter its JSON, the shorter they are. */
export const make = Effect.fnUntraced(function*<T, E>(position: Schema.Codec<T, E>) {
  const cursors = yield* CursorSeal
  const Payload = Schema.Tuple([Schema.Int, position])
  const parse = parsePayload(Payload)
  const encode = Schema.encodeEffect(Schema.fromJsonString(Payload))

  /** The position behind a cursor of that question; null: there is none, so the first page is asked for. */
  const open = Effect.fnUntraced(function*(
    cursor: string | undefined,
    question: Question,
    field = "cursor"
  ): Effect.fn.Return<T | null, InvalidCursor> {
    if (cursor === undefined) return null
    const opened = Option.flatMap(yield* cursors.open(cursor, boundOf(question)), (text) => parse(text))
    if (Option.isNone(opened)) return yield* InvalidCursor.refuse(field)
    const [hour, found] = opened.value
    const now = yield* Clock.currentTimeMillis
    return now < (hour + lifeHours) * hourMillis ? found : yield* InvalidCursor.refuse(field)
  })

  /** To the end of the hour, so that the same page, asked for twice or through another door, has the same cursor. */
  const seal = Effect.fnUntraced(function*(position: T, question: Question): Effect.fn.Return<string> {
    const now = yield* Clock.currentTimeMillis
    const payload = yield* Effect.orDie(encode([Math.ceil(now / hourMillis), position]))
    return yield* cursors.seal(payload, boundOf(question))
  })

  /** Of rows that were asked for with one more than the limit: those to show, and the cursor after them. */
  const page = Effect.fnUntraced(function*<Row>(
    found: ReadonlyArray<Row>,
    asked: { readonly limit: number; readonly question: Question; readonly position: (row: Row) => T }
  ): Effect.fn.Return<{ readonly rows: ReadonlyArray<Row>; readonly next: string | null }> {
    const rows = found.slice(0, asked.limit)
    const last = rows.at(-1)
    return {
      rows,
      next: last === undefined || found.length <= asked.limit ? null : yield* seal(asked.position(last), asked.question)
    }
  })

  return { open, page, seal }
})
