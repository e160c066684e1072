/** What an operation says of itself, in the words of REST: it names endpoints where the operation names tools. */
import type { Route } from "../Routes.ts"

/** The document's form of a path: `{id}` for `:id`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

const tools = /\bservice_\w+/g

/** The text with the endpoint of each tool; a sentence about a tool without one is left out. */
export const inRestWords = (text: string, table: ReadonlyArray<Route>): string => {
  const endpoints = new Map(
    table.map(({ method, operation, path }) => [String(operation.name), `${method} ${templateOf(path)}`] as const)
  )
  return text.split(/(?<=[.;]) /)
    .filter((sentence) => [...sentence.matchAll(tools)].every(([name]) => endpoints.has(name)))
    .map((sentence) => sentence.replaceAll(tools, (name) => endpoints.get(name) ?? name))
    .join(" ")
}
