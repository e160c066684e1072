/** Parts of the document that its chapters share: references, names and objects. */
import type * as JsonSchema from "./JsonSchema.ts"

type JsonObject = JsonSchema.JsonObject

export const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** `service_search_properties` is `searchProperties`. */
export const operationIdOf = (name: string): string =>
  name.replace("service_", "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export const objectOf = (properties: JsonObject, required: ReadonlyArray<string>): JsonObject => ({
  type: "object",
  properties,
  required
})
