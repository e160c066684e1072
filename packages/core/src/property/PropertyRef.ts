/** How a caller names a property: by id or by key. Canonicalised before anything is looked up or locked. */
import { Option } from "effect"
import { parseId } from "../operation/Uuid.ts"

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
