/** Markdown that is made of the definitions: every endpoint, from the contract's document, and every tool. */
import { tools } from "../../packages/mcp-host/src/Tools.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: JsonSchema
}

interface Endpoint {
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<
    {
      readonly name: string
      readonly in: string
      readonly required?: boolean
      readonly description?: string
      readonly schema: JsonSchema
    }
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>
  readonly "x-mcp-tool"?: string
}

/** The part of the contract's document that is shown. */
export interface OpenApi {
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ")

const typeOf = ({ $ref, enum: words, items, type }: JsonSchema): string =>
  words !== undefined
    ? words.map((word) => `\`${String(word)}\``).join(", ")
    : $ref !== undefined
    ? $ref.slice($ref.lastIndexOf("/") + 1)
    : items !== undefined
    ? `list of ${typeOf(items)}`
    : [type ?? "any"].flat().join(" or ")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

const fields = (schema: JsonSchema): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => [
    `\`${name}\`${schema.required?.includes(name) === true ? "" : " (optional)"}`,
    typeOf(property),
    property.description ?? ""
  ])

const join = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`

export const endpoints = (document: OpenApi): string => {
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method: method.toUpperCase(), ...endpoint }))
  )
  const one = (each: (typeof all)[number]): string =>
    join([
      `### ${each.method} ${each.path}`,
      `**${each.summary}.** ${each.description}`,
      each["x-mcp-tool"] === undefined ? "" : `As a tool: \`${each["x-mcp-tool"]}\`.`,
      table(
        ["argument", "where", "type", "meaning"],
        [
          ...(each.parameters ?? []).map((parameter) => [
            `\`${parameter.name}\`${parameter.required === true ? "" : " (optional)"}`,
            parameter.in,
            typeOf(parameter.schema),
            parameter.description ?? ""
          ]),
          ...fields(resolve(each.requestBody?.content["application/json"]?.schema ?? {})).map((
            [name = "", type = "", meaning = ""]
          ) => [name, "body", type, meaning])
        ]
      ),
      table(
        ["status", "answer"],
        Object.entries(each.responses).map(([status, { description = "" }]) => [status, description])
      )
    ])
  return join([
    "# Endpoints",
    "Made of the contract, which a running server has at `/v1/openapi.json`, and at `/docs` with examples to try. "
    + "[api.md](../api.md) says what holds for all of them.",
    ...document.tags.flatMap(({ name }) => [
      `## ${name}`,
      ...all.filter(({ tags }) => tags.includes(name)).map(one)
    ])
  ])
}

export const toolPage = (): string =>
  join([
    "# Tools",
    "What an assistant is offered, in the order of `tools/list`; it sees those that its key or member may use.",
    ...tools.map(({ published }) => {
      const schema: JsonSchema = published.inputSchema
      return join([
        `## ${published.name}`,
        published.description,
        table(["argument", "type", "meaning"], fields(schema))
      ])
    })
  ])
