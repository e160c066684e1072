/**
 * What the answer of each tool costs a model, over the records of the demonstration: `docs/assistants.md` has the table, and a
 * test of the demonstration fails where an answer has outgrown it.
 */
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { calls, type Told } from "./EveryTool.ts"

const page = join(import.meta.dirname, "../../../docs/assistants.md")

export interface Cost {
  readonly name: string
  readonly tokens: number
  /** The code, where the answer is a refusal. */
  readonly refused: string | null
}

/** Calls each tool once, and counts the tokens of what it answers. */
export const measure = async (call: (name: string, input: object) => Promise<Told>): Promise<ReadonlyArray<Cost>> => {
  const seen: Record<string, Told> = {}
  const costs: Array<Cost> = []
  for (const { input, tool: { published: { name } } } of calls) {
    const told = await call(name, input(seen))
    seen[name] = told
    costs.push({ name, tokens: encode(JSON.stringify(told)).length, refused: told.code ?? null })
  }
  return costs
}

const row = /^\| `(service_\w+)` +\| +([\d,]+) \|$/

/** What the page says of each tool. */
export const told = (): ReadonlyMap<string, number> =>
  new Map(
    readFileSync(page, "utf8").split("\n").flatMap((line): ReadonlyArray<readonly [string, number]> => {
      const [, name = "", tokens = ""] = row.exec(line) ?? []
      return name === "" ? [] : [[name, Number(tokens.replaceAll(",", ""))]]
    })
  )

const table = /(<!-- answer costs -->\n)[^]*?(<!-- end -->)/

/** Puts what was measured where the page has its table. */
export const write = (costs: ReadonlyArray<Cost>): void => {
  const measured = new Map(costs.map(({ name, tokens }) => [name, tokens]))
  const names = tools.map(({ published: { name } }: Tool) => name)
  const lines = names.map((name) => [`\`${name}\``, (measured.get(name) ?? 0).toLocaleString("en-US")] as const)
  const wide = Math.max(...lines.map(([name]) => name.length))
  const rows = [["tool", "tokens"] as const, ["-".repeat(wide), "-----:"] as const, ...lines]
    .map(([name, tokens]) => `| ${name.padEnd(wide)} | ${tokens.padStart(6)} |`)
  const text = readFileSync(page, "utf8")
  writeFileSync(page, text.replace(table, (_, start, end) => `${start}\n${rows.join("\n")}\n\n${end}`))
}
