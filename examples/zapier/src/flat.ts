/** A webhook's body as a Zap maps it: one level of fields. */

/** A webhook's body, as docs/webhooks.md of the service describes it. */
export interface Delivered {
  readonly event_id: string
  readonly event_type: string
  readonly created_at: string
  readonly test: boolean
  readonly data: object
}

/** What a Zap is given; Zapier drops what it has seen the `id` of. */
export interface Flat {
  readonly [field: string]: string | number | boolean | null
  readonly id: string
}

type Field = readonly [string, string | number | boolean | null]

/** Of people and firms so many; `contacts_count` and `organizations_count` say how many there are. */
const mostListed = 5

/** What lists are called one by one; what else is a list of objects has a digest beside it. */
const singular = new Map([["contacts", "contact"], ["organizations", "organization"]])

const listed = (name: string, items: ReadonlyArray<unknown>): ReadonlyArray<Field> => {
  const one = singular.get(name)
  if (one !== undefined) {
    return [
      [`${name}_count`, items.length],
      ...items.slice(0, mostListed).flatMap((item, index) => fieldsOf(`${one}_${index + 1}`, item))
    ]
  }
  return items.every((item) => typeof item === "string") ? [[name, items.join(", ")]] : []
}

const fieldsOf = (name: string, value: unknown): ReadonlyArray<Field> => {
  if (Array.isArray(value)) return listed(name, value)
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => fieldsOf(name === "" ? key : `${name}_${key}`, each))
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
    ? [[name, value]]
    : []
}

export const flat = ({ created_at, data, event_id, event_type, test }: Delivered): Flat => ({
  ...Object.fromEntries(fieldsOf("", data)),
  id: event_id,
  event_type,
  created_at,
  test
})
