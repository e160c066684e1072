/**
 * `Lists` over PostgreSQL: each change is one call of a function, which locks before it reads.
 *
 * The items of a long list take a while to count, so they are not read on the pipelined connections.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import { type KeptList, type List, type ListType, nameKey, type Visibility } from "@freehold/core/list/List"
import { type ListItem, type ListReader, Lists, type RecentPlace } from "@freehold/core/list/Lists"
import { parseId } from "@freehold/core/operation/Uuid"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Visible from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { type Paged, pageOf } from "../database/Page.ts"
import { storable } from "../database/StorableText.ts"
import { transaction, writing } from "../database/Transaction.ts"

interface ListRow {
  readonly id: string
  readonly list_name: string
  readonly list_type: ListType
  readonly visibility: Visibility
  readonly owner_name: string
  readonly created_at: Date
}

interface ItemsRow {
  readonly list: ListRow
  readonly total: number
  readonly items: ReadonlyArray<ListItem>
}

const toList = (row: Omit<ListRow, "created_at"> & { readonly created_at: Date | string }): List => ({
  id: row.id,
  name: row.list_name,
  type: row.list_type,
  visibility: row.visibility,
  ownerName: row.owner_name,
  createdAt: new Date(row.created_at).toISOString()
})

interface KeptRow extends ListRow {
  readonly owner_id: string | null
  readonly shared_with: ReadonlyArray<string>
}

const fields = ["id", "list_name", "list_type", "visibility", "owner_name", "created_at"]

const toKept = (row: KeptRow): KeptList => ({ ...toList(row), ownerId: row.owner_id, sharedWith: row.shared_with })

const columnsOf = (table: string): string => fields.map((field) => `${table}.${field}`).join(", ")

export const layer: Layer.Layer<Lists, never, SqlClient.SqlClient | Database.Pipeline | Database.Reads> = Layer.effect(
  Lists,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads
    const pipeline = yield* Database.Pipeline

    const seen = (client: SqlClient.SqlClient, { orgId, reader }: ListReader) =>
      client`l.org_id = ${orgId} AND list_seen(l.visibility, l.owner_id, l.shared_with, ${reader}::uuid)`

    /** The rows after a place, newest first: the bound on the moment lets the index start there. */
    const onward = (after: RecentPlace | null, at: string, id: string) => {
      if (after === null) return reads.literal("true")
      const [moment, last] = [reads.literal(at), reads`${after.at}::timestamptz`]
      return reads`(${moment} <= ${last} AND (${moment} < ${last} OR ${reads.literal(id)} > ${after.id}::uuid))`
    }

    /** An item `i` of a list of that kind is available. */
    const isAvailable = (kind: Statement.Fragment, visible: Area) => {
      const inArea = (place?: Visible.Place) => Visible.make(reads, place).inArea(visible)
      return reads`CASE ${kind}
        WHEN 'properties' THEN EXISTS (
          SELECT FROM property p WHERE p.id = i.item_id AND p.retired_into IS NULL AND ${inArea()}
        )
        ELSE EXISTS (
          SELECT FROM property_contact pc
          WHERE pc.contact_id = i.item_id AND pc.county_fips IS NOT NULL AND ${inArea(Visible.personTie)}
        ) END`
    }

    /** Of each item of the lists `l` that is available its list, to be counted all at once. One of the two is empty: a list holds one kind. */
    const availableIn = (visible: Area) => {
      const item = reads`JOIN list_item i ON i.org_id = l.org_id AND i.list_id = l.id`
      const inArea = (place?: Visible.Place) => Visible.make(reads, place).inArea(visible)
      return reads`
        SELECT l.id AS list_id FROM l ${item} JOIN property p ON p.id = i.item_id
        WHERE l.list_type = 'properties' AND p.retired_into IS NULL AND ${inArea()}
        UNION ALL
        SELECT l.id FROM l ${item}
        WHERE l.list_type = 'contacts' AND EXISTS (
          SELECT FROM property_contact pc
          WHERE pc.contact_id = i.item_id AND pc.county_fips IS NOT NULL AND ${inArea(Visible.personTie)}
        )`
    }

    /** The ids of the items, in their order: named by id, or as a property `p` by key; null for a key that nothing has. */
    const idsOf = (itemIds: ReadonlyArray<string>, known: Statement.Fragment) => {
      const byKey = itemIds.map((item) => Option.isNone(parseId(item)))
      return sql`ARRAY(
        SELECT CASE WHEN g.by_key THEN p.id ELSE g.item::uuid END
        FROM unnest(${itemIds.map(storable)}::text[], ${byKey}::boolean[]) WITH ORDINALITY AS g (item, by_key, place)
        LEFT JOIN property p ON g.by_key AND p.key = g.item AND ${known}
        ORDER BY g.place
      )`
    }

    return Lists.of({
      page: Effect.fn("Lists.page")(function*(request) {
        const { after, limit, offset, type } = request
        const where = reads`${seen(reads, request)} AND (${type}::text IS NULL OR l.list_type = ${type}::text)`
        const rows = yield* reads<Paged<ListRow>>`
          SELECT counted.total, page.*
          FROM (SELECT count(*)::integer AS total FROM list l WHERE ${where}) counted
          LEFT JOIN LATERAL (
            SELECT ${reads.literal(columnsOf("l"))} FROM list l
            WHERE ${where} AND ${onward(after, "l.created_at", "l.id")}
            ORDER BY l.created_at DESC, l.id LIMIT ${limit} OFFSET ${offset}
          ) page ON true
          ORDER BY page.created_at DESC, page.id`
        const page = pageOf(rows)
        return { lists: page.rows.map(toList), total: page.total }
      }, Effect.catchTag("SqlError", unavailable)),

      create: Effect.fn("Lists.create")(function*(request) {
        const { bounds, id, name, now, onClash, orgId, owner, sharedWith, type, visibility } = request
        const [row] = yield* writing(sql<ListRow & { readonly created: boolean }>`
          SELECT c.created, ${sql.literal(fields.map((field) => `(c.made).${field}`).join(", "))}
          FROM list_create(
            ${orgId}::text, ${id}::uuid, ${name}::text, ${nameKey(name)}::text, ${type}::text, ${visibility}::text,
            ${owner.memberId}::uuid, ${owner.name}::text, ${sharedWith}::uuid[], ${onClash}::text, ${bounds.lists},
            to_timestamp(${now}::double precision / 1000)
          ) c`)
        if (row === undefined) return { outcome: "too_many" as const, list: null }
        const taken = onClash === "reuse" ? "found" as const : "in_use" as const
        return { outcome: row.created ? "created" as const : taken, list: toList(row) }
      }, Effect.catchTag("SqlError", unavailable)),

      add: Effect.fn("Lists.add")(function*({ bounds, itemIds, listId, now, orgId, reader, visible }) {
        const [row] = yield* writing(sql<{
          readonly kind: ListType
          readonly added: number | null
          readonly unavailable: ReadonlyArray<number>
          readonly of_other_kind: boolean | null
        }>`
          SELECT a.kind, a.added, a.of_other_kind, ARRAY(
            SELECT named.place::integer FROM unnest(given.ids) WITH ORDINALITY AS named (id, place)
            WHERE named.id IS NULL OR named.id = ANY(a.unavailable) ORDER BY named.place
          ) AS unavailable
          FROM (SELECT ${idsOf(itemIds, Visible.make(sql).rowInArea(visible))} AS ids) given,
          LATERAL list_add(
            ${orgId}::text, ${listId}::uuid, ${reader}::uuid, given.ids, ${visible.nationwide},
            ${visible.stateFips}::text[], ${visible.countyFips}::text[], ${bounds.itemsOfOne}, ${bounds.itemsOfAll},
            to_timestamp(${now}::double precision / 1000)
          ) a`)
        return row === undefined
          ? { _tag: "NoList" as const }
          : row.unavailable.length > 0
          ? {
            _tag: "Unavailable" as const,
            type: row.kind,
            itemIds: row.unavailable.flatMap((place) => itemIds[place - 1] ?? []),
            ofOtherKind: row.of_other_kind === true
          }
          : row.added === null
          ? { _tag: "Full" as const }
          : { _tag: "Added" as const, added: row.added, alreadyExists: itemIds.length - row.added }
      }, Effect.catchTag("SqlError", unavailable)),

      remove: Effect.fn("Lists.remove")(function*({ itemIds, listId, orgId, reader, visible }) {
        const rows = yield* writing(sql<{ readonly removed: number }>`
          SELECT removed FROM list_remove(
            ${orgId}::text, ${listId}::uuid, ${reader}::uuid, ${idsOf(itemIds, Visible.make(sql).rowInArea(visible))}
          )`)
        return Option.map(Array.head(rows), ({ removed }) => removed)
      }, Effect.catchTag("SqlError", unavailable)),

      items: Effect.fn("Lists.items")(function*(request) {
        const { after, limit, listId, offset, orgId, visible } = request
        const rows = yield* reads<ItemsRow>`
          WITH l AS MATERIALIZED (SELECT * FROM list l WHERE l.id = ${listId}::uuid AND ${seen(reads, request)}),
          page AS MATERIALIZED (
            SELECT i.item_id, i.added_at FROM list_item i
            WHERE i.org_id = ${orgId} AND i.list_id = (SELECT l.id FROM l) AND ${
          onward(after, "i.added_at", "i.item_id")
        }
              AND ${isAvailable(reads.literal("(SELECT l.list_type FROM l)"), visible)}
            ORDER BY i.added_at DESC, i.item_id LIMIT ${limit} OFFSET ${offset}
          )
          SELECT json_build_object(${
          reads.literal(fields.map((field) => `'${field}', l.${field}`).join(", "))
        }) AS list,
            (SELECT count(*)::integer FROM (${availableIn(visible)}) AS available) AS total,
            (
              SELECT coalesce(json_agg(
                CASE WHEN p.id IS NOT NULL THEN json_build_object('_tag', 'Property', 'id', p.id, 'key', p.key,
                  'address', p.address, 'city', p.city, 'state', p.state, 'zip', p.zip,
                  'assetCategory', p.asset_category, 'addedAt', to_iso(page.added_at))
                ELSE json_build_object('_tag', 'Contact', 'id', c.id, 'title', c.title, 'roleType', c.role_type,
                  'seniority', c.seniority, 'employerName', c.employer_name, 'addedAt', to_iso(page.added_at))
                END ORDER BY page.added_at DESC, page.item_id), '[]')
              FROM page
              LEFT JOIN property p ON l.list_type = 'properties' AND p.id = page.item_id
              LEFT JOIN contact c ON l.list_type = 'contacts' AND c.id = page.item_id
            ) AS items
          FROM l`.unprepared
        return Option.map(Array.head(rows), ({ items, list, total }) => ({ list: toList(list), items, total }))
      }, Effect.catchTag("SqlError", unavailable)),

      counts: Effect.fn("Lists.counts")(function*({ listIds, orgId, visible }) {
        const rows = yield* reads<{ readonly id: string; readonly items: number }>`
          WITH l AS MATERIALIZED (SELECT * FROM list WHERE org_id = ${orgId} AND id = ANY(${listIds}::uuid[])),
          counted AS (SELECT list_id, count(*)::integer AS items FROM (${
          availableIn(visible)
        }) AS available GROUP BY list_id)
          SELECT l.id, coalesce(counted.items, 0) AS items FROM l LEFT JOIN counted ON counted.list_id = l.id`
          .unprepared
        return new Map(rows.map(({ id, items }) => [id, items]))
      }, Effect.catchTag("SqlError", unavailable)),

      find: Effect.fn("Lists.find")(function*(request) {
        const rows = yield* reads<KeptRow>`
          SELECT ${reads.literal(columnsOf("l"))}, l.owner_id, l.shared_with FROM list l
          WHERE l.id = ${request.listId}::uuid AND ${seen(reads, request)}`
        return Option.map(Array.head(rows), toKept)
      }, Effect.catchTag("SqlError", unavailable)),

      change: Effect.fn("Lists.change")(function*(request) {
        const { listId, name, orgId, sharedWith, visibility } = request
        const key = nameKey(name)
        const changed = Effect.gen(function*() {
          const [list] = yield* sql<{ readonly list_type: ListType }>`
            SELECT l.list_type FROM list l WHERE l.id = ${listId}::uuid AND ${seen(sql, request)} FOR NO KEY UPDATE`
          if (list === undefined) return "no_list" as const
          // The lock of `list_create`: what is looked at next is what it left.
          yield* sql`
            SELECT pg_advisory_xact_lock(
              hashtextextended('list ' || ${orgId}::text || ' ' || ${list.list_type}::text || ' ' || ${key}::text, 0)
            )`
          const rows = yield* sql`
            UPDATE list l SET list_name = ${name}, name_key = ${key}, visibility = ${visibility},
              shared_with = ${sharedWith}::uuid[]
            WHERE l.org_id = ${orgId} AND l.id = ${listId}::uuid AND NOT EXISTS (
              SELECT FROM list o
              WHERE o.org_id = l.org_id AND o.list_type = l.list_type AND o.name_key = ${key} AND o.id <> l.id
                AND o.visibility = ${visibility} AND (o.visibility = 'team' OR o.owner_id IS NOT DISTINCT FROM l.owner_id)
            )
            RETURNING l.id`
          return rows.length > 0 ? "changed" as const : "in_use" as const
        })
        return yield* transaction(sql, changed)
      }, Effect.catchTag("SqlError", unavailable)),

      delete: Effect.fn("Lists.delete")(function*(request) {
        const { listId, orgId } = request
        const deleted = Effect.gen(function*() {
          const found = yield* sql`
            SELECT l.id FROM list l WHERE l.id = ${listId}::uuid AND ${seen(sql, request)} FOR UPDATE`
          if (found.length === 0) return false
          yield* sql`DELETE FROM list_item WHERE org_id = ${orgId} AND list_id = ${listId}::uuid`
          yield* sql`DELETE FROM list WHERE org_id = ${orgId} AND id = ${listId}::uuid`
          return true
        })
        return yield* transaction(sql, deleted)
      }, Effect.catchTag("SqlError", unavailable)),

      types: Effect.fn("Lists.types")(function*(request) {
        const rows = yield* pipeline<{ readonly id: string; readonly list_type: ListType }>`
          SELECT l.id, l.list_type FROM list l WHERE l.id = ANY(${request.listIds}::uuid[]) AND ${
          seen(pipeline, request)
        }`
        return new Map(rows.map((row) => [row.id, row.list_type]))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)
