/** The id of an imported record that has none of its own: a UUID v5 of its kind and key, the same everywhere. */
import { type ImportKind, importName, importNamespace } from "@freehold/core/import/ImportKind"
import { hash } from "node:crypto"

const namespace = Buffer.from(importNamespace.replaceAll("-", ""), "hex")

export const recordId = (kind: ImportKind, key: string): string => {
  const hex = hash("sha1", Buffer.concat([namespace, Buffer.from(importName(kind, key))]), "hex")
  const variant = (Number.parseInt(hex.slice(16, 18), 16) & 0x3f | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${
    hex.slice(20, 32)
  }`
}
