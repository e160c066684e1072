/**
 * Input that does not fit its schema or a rule between its fields: each fault with the field and the rule.
 */
import { Predicate, Result, Schema, type SchemaAST, SchemaIssue } from "effect"

/** One fault of the input. `field` is the dotted path (`filters.minYearBuilt`), null when it is about the whole. */
export const InputIssue = Schema.Struct({
  field: Schema.NullOr(Schema.String),
  message: Schema.String
})
export type InputIssue = typeof InputIssue.Type

/** The input is refused before anything ran. REST: 400 with `meta.issues`; MCP: a tool error with the same issues. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("INVALID_ARGUMENTS", {
  issues: Schema.Array(InputIssue)
}) {
  override get message() {
    return this.issues.map((issue) => (issue.field === null ? issue.message : `${issue.field}: ${issue.message}`)).join(
      "; "
    )
  }
}

/** Refuses one field with one rule. */
export const invalid = (field: string | null, message: string): InvalidInput =>
  new InvalidInput({ issues: [{ field, message }] })

/** What is said of a key that the input does not have. */
export const unknownKey = "Unknown key"

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => issue._tag === "UnexpectedKey" ? unknownKey : SchemaIssue.defaultLeafHook(issue)
})

const fieldOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined): string | null =>
  path === undefined || path.length === 0
    ? null
    : path.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join(".")

/** Every fault of a failed decoding, one entry a field and rule. */
export const issuesOf = (error: Schema.SchemaError): ReadonlyArray<InputIssue> =>
  standardIssues(error.issue).issues.map((issue) => ({ field: fieldOf(issue.path), message: issue.message }))

/** The paths of all text with a NUL character, which no text of a database can hold. */
const fieldsWithNul = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.includes("\0") ? [path.join(".")] : []
    : Array.isArray(value)
    ? value.flatMap((item, index) => fieldsWithNul(item, [...path, String(index)]))
    : Predicate.isObject(value)
    ? Object.entries(value).flatMap(([key, item]) => fieldsWithNul(item, [...path, key]))
    : []

const withoutNul = <T>(value: T): Result.Result<T, InvalidInput> => {
  const fields = fieldsWithNul(value, [])
  return fields.length === 0
    ? Result.succeed(value)
    : Result.fail(
      new InvalidInput({ issues: fields.map((field) => ({ field, message: "Expected text without NUL characters" })) })
    )
}

const strict: SchemaAST.ParseOptions = { onExcessProperty: "error", errors: "all" }

/** A decoder that names every unknown key and every broken rule, and lets no NUL character through. */
export const decoder = <T, E>(schema: Schema.Codec<T, E>) => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  return (input: unknown): Result.Result<T, InvalidInput> =>
    decode(input).pipe(
      Result.mapError((error) => new InvalidInput({ issues: issuesOf(error) })),
      Result.flatMap(withoutNul)
    )
}
