/**
 * Input that does not fit its schema or a rule between its fields: each fault with the field and the rule.
 */
import { Predicate, Result, Schema, type SchemaAST, SchemaIssue } from "effect"
import { excerpt } from "./Excerpt.ts"
import { hint } from "./Nearest.ts"
import { isPlain } from "./PlainText.ts"

/** One fault of the input. `field` is the dotted path (`filters.minYearBuilt`), null when it is about the whole. */
export const InputIssue = Schema.Struct({
  field: Schema.NullOr(Schema.String),
  message: Schema.String
})
export type InputIssue = typeof InputIssue.Type

/** So many issues are kept, so that a refusal is never much larger than what it refuses. */
const maximumIssues = 50

/** So many of them stand in the sentence. */
const toldIssues = 5

/** So many unknown names are each compared with those that are known. */
const hintedIssues = 10

/** The input is refused before anything ran. REST: 400 with `meta.issues`; MCP: a tool error with the same issues. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("INVALID_ARGUMENTS", {
  issues: Schema.Array(InputIssue)
}) {
  override get message() {
    const told = this.issues.slice(0, toldIssues).map(({ field, message }) =>
      field === null ? message : `${field}: ${message}`
    )
    const more = this.issues.length - told.length
    return [...told, ...more > 0 ? [`and ${more} more`] : []].join("; ")
  }
}

/** Refuses one field with one rule. */
export const invalid = (field: string | null, message: string): InvalidInput =>
  new InvalidInput({ issues: [{ field, message }] })

/** What is said of a key that the input does not have. */
export const unknownKey = "Unknown key"

/** One issue for each of the first of the keys that nothing is known about; `known` are those that there are. */
export const unknownKeys = (
  keys: ReadonlyArray<string>,
  known: ReadonlyArray<string> = []
): ReadonlyArray<InputIssue> =>
  keys.slice(0, maximumIssues).map((key, index) => ({
    field: excerpt(key),
    message: unknownKey + (index < hintedIssues ? hint(key, known) : "")
  }))

const leafOf = (issue: SchemaIssue.Leaf): string =>
  issue._tag === "UnexpectedKey" ? unknownKey : SchemaIssue.defaultLeafHook(issue)

const missingKey = SchemaIssue.defaultLeafHook(new SchemaIssue.MissingKey(undefined))

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: leafOf })

/** The names of an object's keys, none of what is no object. */
const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  "propertySignatures" in ast ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** The paths of the keys of the objects in an object. */
export const pathsWithin = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  "propertySignatures" in ast
    ? ast.propertySignatures.flatMap(({ name, type }) => keysOf(type).map((key) => `${String(name)}.${key}`))
    : []

interface Known {
  readonly known: ReadonlyArray<string>
  readonly within: ReadonlyArray<string>
}

const nothingKnown: Known = { known: [], within: [] }

const knownByAst = new WeakMap<SchemaAST.AST, Known>()

/** Found once: a body may hold thousands of unknown keys. */
const knownOf = (ast: SchemaAST.AST): Known => {
  const found = knownByAst.get(ast) ?? { known: keysOf(ast), within: pathsWithin(ast) }
  knownByAst.set(ast, found)
  return found
}

/** The issues, and of each unknown key the ones that are known in its place and within those. */
const issuesWithKnown = (error: Schema.SchemaError) => {
  const known: Array<Known> = []
  const format = SchemaIssue.makeFormatterStandardSchemaV1({
    leafHook: (issue) => {
      if (issue._tag === "UnexpectedKey") {
        known.push(knownOf(issue.ast))
      }
      return leafOf(issue)
    }
  })
  return format(error.issue).issues.map((issue) => ({
    ...issue,
    ...issue.message === unknownKey ? known.shift() ?? nothingKnown : nothingKnown
  }))
}

type Path = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>

const keyOf = (segment: Path[number]): string => String(typeof segment === "object" ? segment.key : segment)

const fieldOf = (path: Path | undefined): string | null =>
  path === undefined || path.length === 0 ? null : path.map((segment) => excerpt(keyOf(segment))).join(".")

/** What the input has there; undefined: nothing. */
export const valueAt = (input: unknown, keys: ReadonlyArray<string>): unknown =>
  keys.reduce((part, key) => Predicate.isObjectKeyword(part) ? Reflect.get(part, key) : undefined, input)

/** The faults of a failed decoding, one entry a field and rule; of very many, the first. */
export const issuesOf = (error: Schema.SchemaError): ReadonlyArray<InputIssue> =>
  standardIssues(error.issue).issues.slice(0, maximumIssues).map((issue) => ({
    field: fieldOf(issue.path),
    message: issue.message
  }))

/** The same with the name that may have been meant by an unknown key, or those that there are. */
const issuesWithHints = (error: Schema.SchemaError, input: unknown): ReadonlyArray<InputIssue> => {
  const issues = issuesWithKnown(error).slice(0, maximumIssues).map(({ path = [], ...issue }) => ({
    ...issue,
    field: fieldOf(path),
    keys: path.map(keyOf)
  }))
  const parentOf = (keys: ReadonlyArray<string>) => JSON.stringify(keys.slice(0, -1))
  const hinted = new Set(issues.filter(({ message }) => message === unknownKey).slice(0, hintedIssues))
  return issues.map((issue) => {
    const { field, keys, known, message, within } = issue
    if (!hinted.has(issue)) return { field, message }
    const missing = issues.flatMap((other) =>
      other.message === missingKey && parentOf(other.keys) === parentOf(keys) ? other.keys.slice(-1) : []
    )
    // What is given already is not what was meant.
    const beside = valueAt(input, keys.slice(0, -1))
    const others = known.filter((key) => !Predicate.isObject(beside) || !Object.hasOwn(beside, key))
    return {
      field,
      message: message + hint(keys.at(-1) ?? "", others, { missing, value: valueAt(input, keys), within })
    }
  })
}

/** The paths of all text that is not plain. One path serves the whole walk: every argument of every request is looked at. */
const steeringFields = (value: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  const path: Array<string | number> = []
  const lookIn = (key: string | number, item: unknown): void => {
    path.push(key)
    look(item)
    path.pop()
  }
  const look = (item: unknown): void => {
    if (typeof item === "string") {
      if (!isPlain(item)) found.push(path.join("."))
    } else if (Array.isArray(item)) {
      for (const [index, each] of item.entries()) lookIn(index, each)
    } else if (Predicate.isObject(item)) {
      for (const [key, each] of Object.entries(item)) lookIn(key, each)
    }
  }
  look(value)
  return found
}

const onlyPlain = <T>(value: T): Result.Result<T, InvalidInput> => {
  const fields = steeringFields(value).slice(0, maximumIssues)
  return fields.length === 0
    ? Result.succeed(value)
    : Result.fail(
      new InvalidInput({
        issues: fields.map((field) => ({ field, message: "Expected well-formed text without control characters" }))
      })
    )
}

/** Whether a JSON value holds more than `maximum` values, itself included; stops counting there. */
export const exceeds = (value: unknown, maximum: number): boolean => {
  const open: Array<unknown> = [value]
  let count = 0
  while (open.length > 0 && count + open.length <= maximum) {
    const next = open.pop()
    count++
    if (Array.isArray(next) || Predicate.isObject(next)) {
      for (const item of Object.values(next)) {
        open.push(item)
        if (count + open.length > maximum) break
      }
    }
  }
  return count + open.length > maximum
}

const strict: SchemaAST.ParseOptions = { onExcessProperty: "error", errors: "all" }

/** More values than any input has that fits, but an area of very many corners. */
const mostInFull = 2000

/**
 * A decoder that names every unknown key and every broken rule, and lets no text through that is not plain (`PlainText`).
 * With `hints`, an unknown key is told with the name that may have been meant. With `bounded`, input of very many values is
 * read up to its first fault: to make an issue of each of thousands would keep the process from others.
 */
export const decoder = <T, E>(
  schema: Schema.Codec<T, E>,
  options?: { readonly hints?: boolean; readonly bounded?: boolean }
) => {
  const inFull = Schema.decodeUnknownResult(schema, strict)
  const upToFault = Schema.decodeUnknownResult(schema, { ...strict, errors: "first" })
  const told = options?.hints === true ? issuesWithHints : issuesOf
  const bounded = options?.bounded === true
  return (input: unknown): Result.Result<T, InvalidInput> =>
    (bounded && exceeds(input, mostInFull) ? upToFault : inFull)(input).pipe(
      Result.mapError((error) => new InvalidInput({ issues: told(error, input) })),
      Result.flatMap(onlyPlain)
    )
}
