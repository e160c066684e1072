/** Pairs of real names and records, labelled as the same or not (`sources/labelled`), and how rules fare with them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../../../sources/labelled")

export type LabelledRow = Readonly<Record<string, string>>

const cells = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(([, quoted, bare]) =>
    (quoted ?? bare ?? "").replaceAll("\"\"", "\"")
  )

/** The rows of a file, by the names of its columns. */
export const labelled = (file: string): ReadonlyArray<LabelledRow> => {
  const [head = "", ...lines] = readFileSync(join(folder, file), "utf8").trimEnd().split("\n")
  const names = cells(head)
  return lines.map((line) => Object.fromEntries(names.map((name, at) => [name, cells(line)[at] ?? ""])))
}

export interface Figures {
  readonly pairs: number
  /** Of those at or above the upper threshold, the share that is the same. */
  readonly precision: number
  /** Of those that are the same, the share at or above the upper threshold, and the share above the lower. */
  readonly recall: number
  readonly found: number
}

export const halves = ["fitted", "held out"] as const

/** `confidence`: null below the lower threshold. */
export const measure = (
  rows: ReadonlyArray<LabelledRow>,
  half: typeof halves[number],
  upper: number,
  confidence: (row: LabelledRow) => number | null
): Figures => {
  const judged = rows.filter((row) => row["half"] === half).map((row) => ({
    same: row["same"] === "yes",
    confidence: confidence(row)
  }))
  const same = judged.filter(({ same }) => same)
  const sure = judged.filter(({ confidence }) => confidence !== null && confidence >= upper)
  const right = sure.filter(({ same }) => same).length
  return {
    pairs: judged.length,
    precision: right / sure.length,
    recall: right / same.length,
    found: same.filter(({ confidence }) => confidence !== null).length / same.length
  }
}
