/**
 * Says of every property in the document what it is, with its unit: by the texts below `texts`, unless its schema does.
 *
 * A text stands under the name of the field in camelCase, so that a record and a bundle share it, or under that with the name
 * of what it is in (`period.basis`, a component's name included) where the name alone does not tell.
 */
import { Predicate, Record } from "effect"
import type { JsonObject } from "./JsonSchema.ts"
import { accountTexts } from "./texts/AccountTexts.ts"
import { peopleTexts } from "./texts/PeopleTexts.ts"
import { propertyTexts } from "./texts/PropertyTexts.ts"

const texts: Readonly<Record<string, string>> = { ...accountTexts, ...peopleTexts, ...propertyTexts }

const camel = (name: string): string =>
  (name.charAt(0).toLowerCase() + name.slice(1)).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const lowered = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

/** A bound of a filter, and how the building attributes of a record came about, are told by the field that they are of. */
const derived = (field: string): string | undefined => {
  const bound = /^(min|max)([A-Z]\w+)$/.exec(field)
  const of = bound?.[2] === undefined ? undefined : texts[lowered(bound[2])]
  if (of !== undefined) return `${bound?.[1] === "min" ? "At least" : "At most"} this, included. ${of}`
  const attribute = /^(\w+)Detail$/.exec(field)?.[1]
  return attribute === undefined
    ? undefined
    : `How \`${attribute}\` follows from the property's buildings; null when none has a known value.`
}

/** The key of the text of a field, undefined when it has none of its own. */
export const keyOf = (parent: string, name: string): string | undefined =>
  [`${camel(parent)}.${camel(name)}`, camel(name)].find((key) => Object.hasOwn(texts, key))

/** Every key that there is a text for, each as often as it stands in a table. */
export const keys: ReadonlyArray<string> = [accountTexts, peopleTexts, propertyTexts].flatMap(Record.keys)

const textOf = (parent: string, name: string): string | undefined => {
  const key = keyOf(parent, name)
  return key === undefined ? derived(camel(name)) : texts[key]
}

/** What is data and no schema. */
const data = new Set(["example", "examples", "const", "enum", "default", "x-extensible-enum"])

const describedValue = (value: unknown, parent: string): unknown =>
  Array.isArray(value)
    ? value.map((each) => describedValue(each, parent))
    : Predicate.isReadonlyObject(value)
    ? described({ ...value }, parent)
    : value

/** The members of an object by name, each with its text. */
const members = (properties: object, parent: string): JsonObject =>
  Record.map({ ...properties }, (member: unknown, name) => {
    const inner = describedValue(member, name)
    if (!Predicate.isReadonlyObject(inner) || "description" in inner) return inner
    const description = textOf(parent, name)
    return description === undefined ? inner : { ...inner, description }
  })

/** The same schema or part of the document, with what its properties are. `parent`: the field or component that it is. */
export const described = (schema: JsonObject, parent = ""): JsonObject =>
  Record.map(schema, (value, key) => {
    if (data.has(key)) return value
    return key === "properties" && Predicate.isReadonlyObject(value)
      ? members(value, parent)
      : describedValue(value, parent)
  })

/** The components, each by its name. */
export const describedComponents = (
  schemas: Readonly<Record<string, JsonObject>>
): Readonly<Record<string, JsonObject>> => Record.map(schemas, (schema, name) => described(schema, name))
