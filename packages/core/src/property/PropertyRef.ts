/** How a caller names a property: by id or by key. Canonicalised before anything is looked up or locked. */
import { Option } from "effect"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id in its canonical lower-case form; none for what is no UUID. */
export const parseId = (text: string): Option.Option<string> => {
  const lower = text.toLowerCase()
  return uuid.test(lower) ? Option.some(lower) : Option.none()
}

export type PropertyRef = { readonly _tag: "Id"; readonly id: string } | {
  readonly _tag: "Key"
  readonly key: string
}

/** Any text names a property: a UUID its id, everything else its key. */
export const parse = (text: string): PropertyRef =>
  Option.match(parseId(text), {
    onSome: (id): PropertyRef => ({ _tag: "Id", id }),
    onNone: () => ({ _tag: "Key", key: text })
  })
