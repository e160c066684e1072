/** The values that filters can have, as the service tells them. */
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { allLists } from "../list/allLists.ts"
import { countiesQuery } from "../part/useCounties.ts"
import { call } from "../service/Call.ts"
import { type FilterName, filterWords } from "./FilterTable.ts"

export interface Choice {
  readonly value: string
  readonly label: string | null
}

const long = { staleTime: 600_000 }

/** The words of a JSON Schema that has any. */
const enumOf = (schema: unknown): ReadonlyArray<string> | null => {
  if (typeof schema !== "object" || schema === null) return null
  if ("enum" in schema && Array.isArray(schema.enum)) return schema.enum.map(String)
  if ("items" in schema) return enumOf(schema.items)
  if (!("anyOf" in schema) || !Array.isArray(schema.anyOf)) return null
  const parts = schema.anyOf.map(enumOf)
  return parts.every((part) => part !== null) ? parts.flat() : null
}

const filterKeys = {
  queryKey: ["lookup", "filter_keys"],
  queryFn: async () => (await call("service_lookup", { kind: "filter_keys" })).data.values,
  ...long
}

/** Why filters cannot be used, by their names. */
export const useUnusable = (): ReadonlyMap<string, string> => {
  const { data = [] } = useQuery(filterKeys)
  return new Map(data.flatMap(({ note, value }) => note === null ? [] : [[value, note]]))
}

const looked = (lookup: NonNullable<(typeof filterWords)[FilterName]["lookup"]>) => ({
  queryKey: ["lookup", lookup],
  queryFn: async (
    { client, signal }: { readonly client: QueryClient; readonly signal: AbortSignal }
  ): Promise<ReadonlyArray<Choice>> => {
    if (lookup === "lists") {
      return (await allLists("properties", signal)).map(({ id, list_name }) => ({ value: id, label: list_name }))
    }
    if (lookup === "counties") {
      const counties = await client.fetchQuery(countiesQuery)
      return counties.flatMap(({ fips, label, seen }) => seen ? [{ value: fips, label }] : [])
    }
    return (await call("service_lookup", { kind: lookup })).data.values
  }
})

/** The values of a filter, null where any will do; undefined: they are not known yet, or why they cannot be read. */
export const useChoices = (name: FilterName): {
  readonly choices: ReadonlyArray<Choice> | null | undefined
  readonly error: Error | null
} => {
  const lookup = filterWords[name].lookup
  const found = useQuery({
    ...looked(lookup ?? "categories"),
    ...(lookup === "lists" || lookup === "counties" ? {} : long),
    enabled: lookup !== undefined
  })
  const keys = useQuery(filterKeys)
  if (lookup !== undefined) return { choices: found.data, error: found.error }
  if (keys.data === undefined) return { choices: undefined, error: keys.error }
  const schema = keys.data.find(({ value }) => value === name)?.schema
  return { choices: enumOf(schema)?.map((value) => ({ value, label: null })) ?? null, error: null }
}

/** What the values of chips are called that are ids: counties and lists. */
export const useLabels = (
  wanted: { readonly counties: boolean; readonly lists: boolean }
): ReadonlyMap<string, string> => {
  const counties = useQuery({ ...looked("counties"), enabled: wanted.counties })
  const lists = useQuery({ ...looked("lists"), enabled: wanted.lists })
  return new Map(
    [...counties.data ?? [], ...lists.data ?? []].flatMap(({ label, value }) => label === null ? [] : [[value, label]])
  )
}
