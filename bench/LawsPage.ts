/** The part of docs/laws.md that the benchmark of availability writes. */
import { readFileSync, writeFileSync } from "node:fs"

const page = new URL("../docs/laws.md", import.meta.url)

const begin = "<!-- availability: written by `pnpm bench availability --write` -->"
const end = "<!-- end of availability -->"

/** The day, the machine and what was found, in place of what stands there. */
export const write = (facts: ReadonlyArray<string>, found: string): void => {
  const text = readFileSync(page, "utf8")
  const [head, tail] = [text.indexOf(begin), text.indexOf(end)]
  if (head < 0 || tail < head) throw new Error("docs/laws.md has no place for the figures of availability.")
  const today = new Date().toISOString().slice(0, 10)
  const part = [begin, "", `Measured on ${today}:`, "", ...facts.map((fact) => `- ${fact}`), "", found.trim(), "", ""]
  writeFileSync(page, text.slice(0, head) + part.join("\n") + text.slice(tail))
}
