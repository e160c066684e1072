/** What records are called that something names by id alone, and how the properties among them stand. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call, type Output } from "../service/Call.ts"

type Names = Output<"app_name_records">

export type NamedProperty = Names["properties"][number]
export type NamedContact = Names["contacts"][number]

export interface NamesById {
  readonly properties: ReadonlyMap<string, NamedProperty>
  readonly contacts: ReadonlyMap<string, NamedContact>
}

/** So many are asked for at once. */
const most = 200

const partsOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / most) }, (_, index) => ids.slice(index * most, (index + 1) * most))

const byId = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(rows.map((row) => [row.id, row]))

const distinct = (ids: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(ids)).toSorted()

const none: NamesById = { properties: new Map(), contacts: new Map() }

export const useNames = (asked: {
  readonly properties?: ReadonlyArray<string>
  readonly contacts?: ReadonlyArray<string>
}): NamesById => {
  const [properties, contacts] = [distinct(asked.properties ?? []), distinct(asked.contacts ?? [])]
  const { data } = useQuery({
    queryKey: ["names", properties, contacts],
    queryFn: async ({ signal }): Promise<NamesById> => {
      const answers = await Promise.all([
        ...partsOf(properties).map((property_ids) => call("app_name_records", { property_ids }, signal)),
        ...partsOf(contacts).map((contact_ids) => call("app_name_records", { contact_ids }, signal))
      ])
      return {
        properties: byId(answers.flatMap(({ data }) => data.properties)),
        contacts: byId(answers.flatMap(({ data }) => data.contacts))
      }
    },
    enabled: properties.length + contacts.length > 0,
    placeholderData: keepPreviousData
  })
  return data ?? none
}
