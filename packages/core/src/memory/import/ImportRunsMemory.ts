/** `ImportRuns` in memory. */
import { Duration, Effect, Layer, Option } from "effect"
import {
  type ImportRun,
  ImportRuns,
  keptRuns,
  type ListedRun,
  mostParts,
  mostRejects,
  noRows,
  silence,
  uploadTime
} from "../../import/ImportRuns.ts"
import { isoOf } from "../IsoTime.ts"

interface Stored {
  readonly run: ImportRun
  readonly map: string | null
  readonly parts: ReadonlyArray<Uint8Array>
  readonly rejects: ReadonlyArray<string>
  readonly begunAt: number
  /** When it last told how far it is, in milliseconds. */
  readonly toldAt: number
}

/** `ImportRuns` over a store of its own. */
export const layer: Layer.Layer<ImportRuns> = Layer.sync(ImportRuns, () => {
  /** In the order of their beginning. */
  const stored = new Map<string, Stored>()

  const shown = ({ run, toldAt }: Stored, now: number): ImportRun =>
    (run.state === "uploading" || run.state === "running") && toldAt <= now - Duration.toMillis(silence)
      ? { ...run, state: "interrupted" }
      : run

  const listed = (stored: Stored, now: number): ListedRun => {
    const { shown: _, ...run } = shown(stored, now)
    return run
  }

  /** Changes what is stored of a run in that state; false: there is none. */
  const change = (id: string, state: ImportRun["state"], how: (found: Stored) => Partial<Stored>): boolean => {
    const found = stored.get(id)
    if (found?.run.state !== state) return false
    stored.set(id, { ...found, ...how(found) })
    return true
  }

  const makeRoom = (now: number): void => {
    const oldest = now - Duration.toMillis(uploadTime)
    for (const [id, { begunAt, run }] of stored) if (run.state === "uploading" && begunAt <= oldest) stored.delete(id)
    const rest = [...stored].filter(([, { run }]) => run.state !== "running")
    for (const [id] of rest.slice(0, Math.max(0, rest.length - (keptRuns - 1)))) stored.delete(id)
  }

  return ImportRuns.of({
    begin: Effect.fn("ImportRuns.begin")(({ map, now, ...run }) =>
      Effect.sync(() => {
        makeRoom(now)
        stored.set(run.id, {
          run: {
            ...run,
            ...noRows,
            state: "uploading",
            bytes: 0,
            bytesRead: 0,
            shown: [],
            note: null,
            fault: null,
            begunAt: isoOf(now),
            endedAt: null
          },
          map,
          parts: [],
          rejects: [],
          begunAt: now,
          toldAt: now
        })
      })
    ),
    addPart: Effect.fn("ImportRuns.addPart")(({ bytes, id, now, number }) =>
      Effect.sync(() => {
        const parts = stored.get(id)?.parts ?? []
        if (number < parts.length) return true
        return number === parts.length && number < mostParts && change(id, "uploading", ({ parts, run }) => ({
          parts: [...parts, bytes],
          toldAt: now,
          run: { ...run, bytes: run.bytes + bytes.length }
        }))
      })
    ),
    start: Effect.fn("ImportRuns.start")((id, now) =>
      Effect.sync(() => {
        const found = stored.get(id)
        if (found === undefined || found.parts.length === 0) return Option.none()
        const run: ImportRun = { ...found.run, state: "running" }
        return change(id, "uploading", () => ({ run, toldAt: now }))
          ? Option.some({ run, map: found.map, parts: found.parts.length })
          : Option.none()
      })
    ),
    part: Effect.fn("ImportRuns.part")((id, number) =>
      Effect.sync(() => Option.fromUndefinedOr(stored.get(id)?.parts[number]))
    ),
    progress: Effect.fn("ImportRuns.progress")((id, { bytesRead, counts, now }) =>
      Effect.sync(() => {
        change(id, "running", ({ run }) => ({ run: { ...run, ...counts, bytesRead }, toldAt: now }))
      })
    ),
    keeping: (telling) => telling,
    reject: Effect.fn("ImportRuns.reject")((id, text) =>
      Effect.sync(() => {
        change(id, "running", ({ rejects }) => {
          const size = rejects.reduce((sum, { length }) => sum + length, 0)
          return size + text.length <= mostRejects ? { rejects: [...rejects, text] } : {}
        })
      })
    ),
    end: Effect.fn("ImportRuns.end")((id, { counts, fault, note, now, shown }) =>
      Effect.sync(() => {
        change(id, "running", ({ run }) => ({
          parts: [],
          toldAt: now,
          run: {
            ...run,
            ...counts,
            state: fault === null ? "ended" : "failed",
            bytesRead: fault === null ? run.bytes : run.bytesRead,
            shown,
            note,
            fault,
            endedAt: isoOf(now)
          }
        }))
      })
    ),
    rejects: Effect.fn("ImportRuns.rejects")((id, after) =>
      Effect.sync(() => (stored.get(id)?.rejects ?? []).slice(after, after + 20))
    ),
    find: Effect.fn("ImportRuns.find")((id, now) =>
      Effect.sync(() => Option.map(Option.fromUndefinedOr(stored.get(id)), (found) => shown(found, now)))
    ),
    list: Effect.fn("ImportRuns.list")((limit, now) =>
      Effect.sync(() => [...stored.values()].toReversed().slice(0, limit).map((found) => listed(found, now)))
    )
  })
})
