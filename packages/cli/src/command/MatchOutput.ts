/** What `freehold firm match` and `freehold property match` have in common in what they print. */
import { print, record } from "../Output.ts"

export const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`

/** `one_slip` as people read it. */
export const told = (evidence: ReadonlyArray<string>): string =>
  evidence.map((kind) => kind.replaceAll("_", " ")).join(", ")

/** A page of what was found, which was asked for with one more than the limit. */
export const printPage = <Item extends { readonly id: string }>(
  { json, limit }: { readonly json: boolean; readonly limit: number },
  found: ReadonlyArray<Item>,
  lines: (items: ReadonlyArray<Item>) => string
) => {
  const items = found.slice(0, limit)
  const next = found.length > limit ? items.at(-1)?.id ?? null : null
  return print(
    json,
    { items, next_after: next },
    (shown) => [lines(shown.items), ...next === null ? [] : [`More: --after ${next}`]].join("\n")
  )
}

/** What a run came to. `command`: the one that matched. */
export const printCounts = (
  { dryRun, json }: { readonly dryRun: boolean; readonly json: boolean },
  counts: { readonly proposed: number },
  command: string
) =>
  print(json, { ...counts, dry_run: dryRun }, ({ dry_run, ...shown }) =>
    [
      record(Object.entries(shown)),
      ...dry_run ? ["Nothing was kept: this was a dry run."] : [],
      ...!dry_run && shown.proposed > 0 ? [`See what is proposed: ${command} --review`] : []
    ].join("\n"))
