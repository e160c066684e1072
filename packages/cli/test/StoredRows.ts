/** What changes in a database between two looks: every row of every table, of whichever schema. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"

/** Rows of a table as JSON text; one that was updated has both gone and come. */
export interface Change {
  readonly table: string
  readonly gone: ReadonlyArray<string>
  readonly come: ReadonlyArray<string>
}

/** What every request is counted in, whatever it asks. */
const ofRequests: ReadonlySet<string> = new Set([
  "public.address_window",
  "public.credential_window",
  "public.organization_day"
])

export interface StoredRows {
  /** What has changed since the look before, by table, beside the counts of requests. */
  readonly look: () => Promise<ReadonlyArray<Change>>
  /** Every row as it was at the first look. */
  readonly first: ReadonlyArray<string>
}

/** What of the first is not in the second, with as many copies. */
const beyond = (all: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return all.filter((row) => {
    const copies = left.get(row) ?? 0
    left.set(row, copies - 1)
    return copies < 1
  })
}

/** The ids of properties by their keys. */
export const propertyIds = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const properties = await Effect.runPromise(
    administer(
      Redacted.make(url),
      (sql) => sql<{ readonly id: string; readonly key: string }>`SELECT id, key FROM property`
    )
  )
  return new Map(properties.map(({ id, key }) => [key, id]))
}

/**
 * Takes the first look. Tables are compared by a checksum of where their rows stand and which transaction wrote them, so that
 * only what was written to is read anew: whatever changes a row puts a new version of it elsewhere.
 */
export const watch = async (url: string): Promise<StoredRows> => {
  const ask = (statement: string) =>
    Effect.runPromise(administer(Redacted.make(url), (sql) => sql.unsafe<Readonly<Record<string, string>>>(statement)))
  const named = await ask(`
    SELECT format('%I.%I', nspname, relname) AS name
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY 1`)
  const tables = named.map(({ name = "" }) => name).filter((name) => !ofRequests.has(name))
  const checks = tables.map((name) =>
    `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(hashtextextended(ctid || ' ' || xmin, 0)), 0) AS sum FROM ${name}`
  ).join(" UNION ALL ")
  const sums = async () => new Map((await ask(checks)).map(({ name = "", sum = "" }) => [name, sum]))
  const rowsOf = async (name: string) =>
    (await ask(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)).map(({ row = "" }) => row)

  let known = await sums()
  const rows = new Map<string, ReadonlyArray<string>>()
  for (const name of tables) rows.set(name, await rowsOf(name))
  const first = Array.from(rows.values()).flat()

  const look = async () => {
    const now = await sums()
    const changes: Array<Change> = []
    for (const table of tables.filter((name) => now.get(name) !== known.get(name))) {
      const [before, after] = [rows.get(table) ?? [], await rowsOf(table)]
      rows.set(table, after)
      const change = { table, gone: beyond(before, after), come: beyond(after, before) }
      if (change.gone.length + change.come.length > 0) changes.push(change)
    }
    known = now
    return changes
  }
  return { look, first }
}
