/**
 * `Suppressions` over PostgreSQL: one transaction each; what is withheld is the tables' work (`OwnerFunctions`, `PersonFunctions`).
 *
 * It takes its turn with the imports: a row that one of them is writing is held back too. Before it ends nobody relays changes, and
 * what is being sent of those that tell of the suppressed one is taken back. Whatever else it needs it waits for like a merge
 * (`MergeFunctions`), and is tried again.
 *
 * *Gotcha*: a name is looked for in every property, since no index leads there; that takes seconds a million.
 */
import {
  type Suppression,
  type SuppressionChange,
  Suppressions,
  type SuppressionSubject
} from "@freehold/core/suppression/Suppressions"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { pause } from "../change/ChangeRelay.ts"
import * as ContactCounts from "../contact/ContactCounts.ts"
import { unavailable } from "../database/Availability.ts"
import { storable } from "../database/StorableText.ts"
import { transaction } from "../database/Transaction.ts"
import { stopTelling } from "../import/ErasedPeople.ts"
import { takeTurn } from "../import/ImportBatches.ts"
import { patiently } from "../property/PropertyMerge.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

const all = `
  SELECT 'contact' AS kind, c.id::text AS id, c.key, NULL AS name, NULL AS name_key, s.at
  FROM suppressed_contact s JOIN contact c ON c.id = s.contact_id
  UNION ALL
  SELECT 'property', p.id::text, p.key, NULL, NULL, s.at FROM suppressed_property s JOIN property p ON p.id = s.property_id
  UNION ALL
  SELECT 'owner', NULL, NULL, s.name, s.name_key, s.at FROM suppressed_owner s`

const columns = `s.kind, s.id, s.key, s.name, ${isoTime("s.at")} AS at`

const tables = { Contact: "contact", Property: "property" } as const

interface Named {
  /** The id of the contact or the property, or the key of the name. */
  readonly place: string
}

interface Affected {
  readonly id: string
}

const changed = (
  outcome: SuppressionChange["outcome"],
  suppression: Suppression,
  properties: number
): Option.Option<SuppressionChange> => Option.some({ outcome, suppression, properties })

export const layer: Layer.Layer<Suppressions, never, SqlClient.SqlClient> = Layer.effect(
  Suppressions,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const everything = sql.literal(all)
    const shown = sql.literal(columns)

    // A retired record stands for its survivor.
    const idOf = { Contact: sql.literal("id"), Property: sql.literal("coalesce(retired_into, id)") }

    const placeOf = (subject: SuppressionSubject) =>
      subject._tag === "Owner"
        ? sql<Named>`SELECT owner_name_key(${storable(subject.name)}::text) AS place`
        : sql<Named>`
          SELECT ${idOf[subject._tag]}::text AS place FROM ${sql(tables[subject._tag])}
          WHERE id::text = ${subject.named.toLowerCase()} OR key = ${storable(subject.named)}
          ORDER BY key = ${storable(subject.named)} DESC LIMIT 1`

    const recorded = (subject: SuppressionSubject, place: string) =>
      Effect.map(
        sql<Suppression>`
          SELECT ${shown} FROM (${everything}) s
          WHERE s.kind = ${subject._tag.toLowerCase()} AND coalesce(s.id, s.name_key) = ${place}`,
        Array.head
      )

    /** Waits for those who load and for a relay, before anything is written for which they might wait. */
    const begin = takeTurn(sql).pipe(
      Effect.andThen(pause(sql)),
      Effect.andThen(sql`SELECT set_config('lock_timeout', '400ms', true)`)
    )

    /** What follows for the properties of which less, or more again, is to be seen, and for the changes that are taken back. */
    const settle = Effect.fnUntraced(function*(affected: ReadonlyArray<Affected>, told: ReadonlyArray<string>) {
      const ids = affected.map(({ id }) => id)
      yield* ContactCounts.refresh(ids)
      yield* sql`SELECT changes_hold(${told}::uuid[], ${ids}::uuid[])`
      yield* sql`SELECT bundles_forget(${ids}::uuid[])`
      yield* sql`SELECT changes_remove(${told}::uuid[])`
      return ids.length
    }, Effect.provideService(SqlClient.SqlClient, sql))

    const settleOwners = (subject: SuppressionSubject, place: string) =>
      subject._tag === "Owner"
        ? sql<Affected>`SELECT id FROM owner_settle_all(${place}, NULL) AS id`
        : sql<Affected>`SELECT id FROM owner_settle_all(NULL, ${place}::uuid) AS id`

    const record = Effect.fnUntraced(function*(subject: SuppressionSubject, place: string) {
      switch (subject._tag) {
        case "Contact":
          return yield* sql<Affected>`SELECT id FROM contact_suppress(${place}::uuid) AS id`
        case "Property":
          yield* sql`INSERT INTO suppressed_property (property_id) VALUES (${place}::uuid)`
          return yield* settleOwners(subject, place)
        case "Owner":
          yield* sql`INSERT INTO suppressed_owner (name_key, name) VALUES (${place}, ${storable(subject.name)})`
          return yield* settleOwners(subject, place)
      }
    })

    /** The changes that tell of the subject: who was sent one is told to remove it. */
    const changesAbout = (subject: SuppressionSubject, place: string) => {
      const [person, name, property] = {
        Contact: [place, null, null],
        Owner: [null, place, null],
        Property: [null, null, place]
      }[subject._tag]
      return sql<Affected>`
        SELECT id::text AS id FROM unnest(changes_about(${person}::uuid, ${name}::text, ${property}::uuid)) AS id`
    }

    const remove = Effect.fnUntraced(function*(subject: SuppressionSubject, place: string) {
      switch (subject._tag) {
        case "Contact":
          return yield* sql<Affected>`SELECT id FROM contact_list_again(${place}::uuid) AS id`
        case "Property":
          yield* sql`
            DELETE FROM suppressed_property s USING property p
            WHERE p.id = s.property_id AND ${place}::uuid IN (p.id, p.retired_into)`
          return yield* settleOwners(subject, place)
        case "Owner":
          yield* sql`DELETE FROM suppressed_owner WHERE name_key = ${place}`
          return yield* settleOwners(subject, place)
      }
    })

    const suppressNamed = Effect.fnUntraced(function*(subject: SuppressionSubject, place: string) {
      const affected = yield* record(subject, place)
      const told = yield* changesAbout(subject, place)
      return yield* settle(affected, told.map(({ id }) => id))
    })

    return Suppressions.of({
      erase: Effect.fn("Suppressions.erase")(
        function*(named) {
          yield* begin
          yield* stopTelling(sql)
          const people = yield* sql<Affected>`
            SELECT id::text AS id FROM contact
            WHERE id::text = ${named.toLowerCase()} OR key = ${storable(named)}
              OR lower(email) = lower(${storable(named)}) ORDER BY id`
          for (const { id } of people) {
            const subject: SuppressionSubject = { _tag: "Contact", named: id }
            if (Option.isNone(yield* recorded(subject, id))) yield* suppressNamed(subject, id)
            yield* sql`SELECT contact_erase(${id}::uuid)`
          }
          return people.map(({ id }) => id)
        },
        (effect) => patiently(transaction(sql, effect)),
        Effect.catchTag("SqlError", unavailable)
      ),

      suppress: Effect.fn("Suppressions.suppress")(
        function*(subject) {
          yield* begin
          const [named] = yield* placeOf(subject)
          if (named === undefined || named.place === "") return Option.none<SuppressionChange>()
          const known = yield* recorded(subject, named.place)
          if (Option.isSome(known)) {
            return changed("unchanged", known.value, 0)
          }
          const properties = yield* suppressNamed(subject, named.place)
          const now = yield* recorded(subject, named.place)
          return Option.flatMap(now, (suppression) => changed("created", suppression, properties))
        },
        (effect) => patiently(transaction(sql, effect)),
        Effect.catchTag("SqlError", unavailable)
      ),

      lift: Effect.fn("Suppressions.lift")(
        function*(subject) {
          yield* begin
          const [named] = yield* placeOf(subject)
          const known = named === undefined ? Option.none() : yield* recorded(subject, named.place)
          if (named === undefined || Option.isNone(known)) return Option.none<SuppressionChange>()
          const properties = yield* settle(yield* remove(subject, named.place), [])
          return changed("lifted", known.value, properties)
        },
        (effect) => patiently(transaction(sql, effect)),
        Effect.catchTag("SqlError", unavailable)
      ),

      list: sql<Suppression>`
        SELECT ${shown} FROM (${everything}) s ORDER BY s.at, s.kind, coalesce(s.id, s.name_key)`.pipe(
        Effect.catchTag("SqlError", unavailable),
        Effect.withSpan("Suppressions.list")
      )
    })
  })
)
