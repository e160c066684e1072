/**
 * The five kinds of rows, and the names of the records that they are about.
 *
 * `id` is made from the key where a row has none: `importNamespace` and `<kind>/<key>` as a UUID v5, the same in every
 * installation. Hashing is the caller's, since it belongs to a platform.
 */
import { Schema } from "effect"

export const ImportKind = Schema.Literals(["properties", "firms", "contacts", "research", "changes"])
export type ImportKind = typeof ImportKind.Type

/** The namespace of ids that are made from keys. Never changed: it would give every record another id. */
export const importNamespace = "6f0d8c1e-5b0b-5d0e-9a51-3c7e2f4b9d10"

/** The name within `importNamespace` of a record that has no id of its own. */
export const importName = (kind: ImportKind, key: string): string => `${kind}/${key}`
