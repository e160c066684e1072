/**
 * What is imported during a soak, again and again: the same properties with other values, and sales of some of them, of which
 * subscribers are told.
 */
import { Effect, type Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import type * as Child from "../Child.ts"
import * as Freehold from "../Freehold.ts"
import * as SampleRows from "../SampleRows.ts"

export const rows = 5000

/** Of one round. */
export const sales = 300

export interface Imports {
  /** Changes the value of every property. */
  readonly properties: (round: number) => Effect.Effect<Child.Completed, Child.ChildFailed>
  /** Adds the sales of a round; repeated, it adds none. */
  readonly changes: (round: number) => Effect.Effect<Child.Completed, Child.ChildFailed>
}

export const make = (url: Redacted.Redacted, folder: string): Imports => {
  const { ndjson } = SampleRows.make(folder, rows)
  const made = readFileSync(ndjson, "utf8").trimEnd().split("\n").map((line): Readonly<Record<string, unknown>> =>
    JSON.parse(line)
  )
  const load = (kind: string, lines: ReadonlyArray<object>) =>
    Effect.suspend(() => {
      const file = `${folder}/soak-${kind}.ndjson`
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
      return Freehold.run(url, ["import", kind, file])
    })
  return {
    properties: (round) => load("properties", made.map((row) => ({ ...row, totalParval: 40_000 + 1000 * round }))),
    changes: (round) =>
      load(
        "changes",
        made.slice(0, sales).map((row, place) => ({
          key: `made-up-sale:${round}:${place}`,
          kind: "sale",
          propertyKey: row["key"],
          after: { date: "2026-01-02", price: 40_000 + round, document_type: "deed" },
          detectedAt: new Date().toISOString(),
          source: "county_record"
        }))
      )
  }
}
