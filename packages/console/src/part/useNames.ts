/** What records are called that something names by id alone, and how the properties among them stand. */
import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query"
import { call, type Output } from "../service/Call.ts"
import { partsOf } from "../service/Parts.ts"

type Names = Output<"app_name_records">

export type NamedProperty = Names["properties"][number]
export type NamedContact = Names["contacts"][number]

export interface NamesById {
  readonly properties: ReadonlyMap<string, NamedProperty>
  readonly contacts: ReadonlyMap<string, NamedContact>
}

/** So many are asked for at once. */
const most = 200

const byId = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(rows.map((row) => [row.id, row]))

const distinct = (ids: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(ids)).toSorted()

const none: NamesById = { properties: new Map(), contacts: new Map() }

const key = ["names"]

/** Milliseconds for which a name and a standing are taken as they were told. */
const freshFor = 30_000

/** What is known of earlier questions: a list that goes on asks for what is new in it, and not for all of it with every page. */
const knownBy = (client: QueryClient): NamesById => {
  const told = client.getQueryCache().findAll({ queryKey: key }).flatMap((query) =>
    query.isStaleByTime(freshFor) ? [] : client.getQueryData<NamesById>(query.queryKey) ?? []
  )
  return {
    properties: new Map(told.flatMap(({ properties }) => Array.from(properties))),
    contacts: new Map(told.flatMap(({ contacts }) => Array.from(contacts)))
  }
}

const missing = (ids: ReadonlyArray<string>, known: ReadonlyMap<string, unknown>): ReadonlyArray<string> =>
  ids.filter((id) => !known.has(id))

export const useNames = (asked: {
  readonly properties?: ReadonlyArray<string>
  readonly contacts?: ReadonlyArray<string>
}): NamesById => {
  const [properties, contacts] = [distinct(asked.properties ?? []), distinct(asked.contacts ?? [])]
  const { data } = useQuery({
    queryKey: [...key, properties, contacts],
    queryFn: async ({ client, signal }): Promise<NamesById> => {
      const known = knownBy(client)
      const answers = await Promise.all([
        ...partsOf(missing(properties, known.properties), most).map((property_ids) =>
          call("app_name_records", { property_ids }, signal)
        ),
        ...partsOf(missing(contacts, known.contacts), most).map((contact_ids) =>
          call("app_name_records", { contact_ids }, signal)
        )
      ])
      return {
        properties: new Map([...known.properties, ...byId(answers.flatMap(({ data }) => data.properties))]),
        contacts: new Map([...known.contacts, ...byId(answers.flatMap(({ data }) => data.contacts))])
      }
    },
    enabled: properties.length + contacts.length > 0,
    placeholderData: keepPreviousData
  })
  return data ?? none
}
