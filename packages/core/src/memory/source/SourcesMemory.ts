/** `Sources` in memory. What a load writes is not taken back where its step is refused: it is the same rows again next time. */
import { Clock, Duration, Effect, Equal, Layer, Option, Semaphore } from "effect"
import * as FormerCountyRows from "../../coverage/FormerCountyRows.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { durationOf, type SourceDocument } from "../../source/SourceDocument.ts"
import { type KeptRow, type RunState, RunTaken, type Source, type SourceRun, Sources } from "../../source/Sources.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import type { StoredSource } from "./StoredSource.ts"

const keptRuns = 100
const keptRejects = 20

/** The pauses before a sync that was put off is tried again, in minutes. */
const pauses = [1, 5, 15, 60]

const isUnderWay = ({ state }: SourceRun): boolean => state === "reading" || state === "loading"
const isOpen = (run: SourceRun): boolean => isUnderWay(run) || run.state === "asks"

const shown = ({ failures: _, isRemoved: __, known, rows: ___, runs, ...source }: StoredSource): Source => ({
  ...source,
  records: [...known.values()].filter(({ vanishedAt }) => vanishedAt === null).length,
  lastRun: runs.at(-1) ?? null
})

/** The source of a name, unless it was removed. */
const present = (state: State, name: string): StoredSource | undefined => {
  const stored = state.sources.get(name)
  return stored?.isRemoved === false ? stored : undefined
}

/** Another run takes the place of one that is open. */
const leaveOpen = (stored: StoredSource, now: number): StoredSource => ({
  ...stored,
  rows: new Map(),
  runs: stored.runs.map((run) => isOpen(run) ? { ...run, state: "left", endedAt: isoOf(now) } : run)
})

const dueAfter = (document: SourceDocument, now: number): string | null =>
  Option.match(Option.flatMap(Option.fromUndefinedOr(document.schedule), durationOf), {
    onNone: () => null,
    onSome: (pause) => isoOf(now + Duration.toMillis(pause))
  })

/** One step of an open run, by whoever knows the last one; none: somebody else took it. */
const stepped = (
  state: State,
  name: string,
  { number, page }: Pick<SourceRun, "number" | "page">,
  change: (run: SourceRun, stored: StoredSource) => readonly [SourceRun, Partial<StoredSource>]
): Effect.Effect<SourceRun, RunTaken> => {
  const stored = state.sources.get(name)
  const run = stored?.runs.find((each) => each.number === number && each.page === page && isOpen(each))
  if (stored === undefined || run === undefined) return Effect.fail(new RunTaken({ name }))
  const [changed, more] = change(run, stored)
  const next = { ...changed, page: page + 1 }
  state.sources.set(name, {
    ...stored,
    ...more,
    runs: stored.runs.map((each) => each.number === number ? next : each)
  })
  return Effect.succeed(next)
}

/** The row as it is kept: without its body where it is what was loaded before, or faulty. */
const keptOf = (given: KeptRow, known: StoredSource["known"]): KeptRow => {
  const before = known.get(given.key)
  const isSame = before !== undefined && before.digest === given.digest && before.vanishedAt === null
  return isSame || given.digest === null ? { ...given, row: null } : given
}

/** `Sources` in memory. */
export const layer: Layer.Layer<Sources, never, MemoryState> = Layer.effect(
  Sources,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const turn = yield* Semaphore.make(1)

    const changing = (name: string, change: (stored: StoredSource, now: number) => StoredSource) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const stored = present(state, name)
        if (stored !== undefined) state.sources.set(name, change(stored, now))
        return stored !== undefined
      })

    return Sources.of({
      put: Effect.fn("Sources.put")((document, token) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const stored = present(state, document.name)
          const isSame = stored !== undefined && Equal.equals(stored.document, document)
          if (isSame && token === null) return "unchanged"
          const before = stored === undefined || isSame ? stored : leaveOpen(stored, now)
          state.sources.set(document.name, {
            paused: false,
            addedAt: isoOf(now),
            fullAt: null,
            failures: 0,
            runs: [],
            known: state.sources.get(document.name)?.known ?? new Map(),
            rows: new Map(),
            isRemoved: false,
            ...before,
            document,
            token: token ?? before?.token ?? null,
            dueAt: document.schedule === undefined ? null : isoOf(now),
            mark: null
          })
          return stored === undefined ? "added" : "changed"
        })
      ),

      list: Effect.sync(() =>
        [...state.sources.values()].filter(({ isRemoved }) => !isRemoved).map(shown).sort((left, right) =>
          compareText(left.document.name, right.document.name)
        )
      ).pipe(Effect.withSpan("Sources.list")),

      find: Effect.fn("Sources.find")((name) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(present(state, name)), shown))
      ),

      runs: Effect.fn("Sources.runs")((name, limit) =>
        Effect.sync(() => (state.sources.get(name)?.runs ?? []).toReversed().slice(0, limit))
      ),

      pause: Effect.fn("Sources.pause")((name, paused) => changing(name, (stored) => ({ ...stored, paused }))),

      remove: Effect.fn("Sources.remove")((name) =>
        Effect.sync(() => {
          const stored = present(state, name)
          if (stored === undefined) return false
          if (stored.known.size === 0) return state.sources.delete(name)
          state.sources.set(name, {
            ...stored,
            isRemoved: true,
            token: null,
            paused: true,
            dueAt: null,
            fullAt: null,
            mark: null,
            failures: 0,
            runs: [],
            rows: new Map()
          })
          return true
        })
      ),

      due: Effect.map(Clock.currentTimeMillis, (now) =>
        [...state.sources.values()]
          .flatMap(({ document: { name }, dueAt, paused, runs }) =>
            paused || dueAt === null || Date.parse(dueAt) > now || runs.some((run) => run.state === "asks")
              ? []
              : [{ name, dueAt }]
          )
          .sort((left, right) => compareText(left.dueAt, right.dueAt) || compareText(left.name, right.name))
          .map(({ name }) => name)).pipe(Effect.withSpan("Sources.due")),

      alone: (effect) => turn.withPermitsIfAvailable(1)(effect),

      begin: Effect.fn("Sources.begin")(function*(name, full, unseen) {
        const now = yield* Clock.currentTimeMillis
        const stored = state.sources.get(name)
        if (stored === undefined) return yield* Effect.die(`no run of ${name} was begun`)
        const run: SourceRun = {
          number: (stored.runs.at(-1)?.number ?? 0) + 1,
          state: "reading",
          full,
          startedAt: isoOf(now),
          endedAt: null,
          page: 0,
          position: null,
          mark: null,
          unseen,
          formerCounties: FormerCountyRows.none,
          reason: null,
          rejects: [],
          read: 0,
          inserted: 0,
          changed: 0,
          unchanged: 0,
          rejected: 0,
          retired: 0
        }
        const left = leaveOpen(stored, now)
        state.sources.set(name, { ...left, runs: [...left.runs.slice(-keptRuns), run] })
        return run
      }),

      keep: Effect.fn("Sources.keep")((
        { formerCounties, full, mark, name, page, position, read, rejected, rejects, rows, run, unseen }
      ) =>
        Effect.suspend(() =>
          stepped(state, name, { number: run, page }, (before, stored) => {
            const kept = new Map(stored.rows)
            for (const given of rows) {
              const there = kept.get(given.key)
              const isOlder = there !== undefined && there.asOf !== null && given.asOf !== null &&
                given.asOf < there.asOf
              const isWorse = there !== undefined && given.digest === null
              if (!isOlder && !isWorse) kept.set(given.key, keptOf(given, stored.known))
            }
            return [{
              ...before,
              full: before.full && full,
              position,
              mark,
              unseen,
              read: before.read + read,
              rejected: before.rejected + rejected,
              formerCounties: FormerCountyRows.sum(before.formerCounties, formerCounties),
              reason: null,
              rejects: [...before.rejects, ...rejects].slice(0, keptRejects)
            }, { rows: kept }]
          })
        )
      ),

      plan: Effect.fn("Sources.plan")((name, { full }) =>
        Effect.sync(() => {
          const stored = state.sources.get(name)
          if (stored === undefined) return { known: 0, fresh: 0, different: 0, same: 0, gone: 0 }
          const { known, rows } = stored
          const kept = [...rows.values()]
          const there = [...known].filter(([, { vanishedAt }]) => vanishedAt === null)
          return {
            known: there.length,
            fresh: kept.filter(({ key, row }) => row !== null && !known.has(key)).length,
            different: kept.filter(({ key, row }) => row !== null && known.has(key)).length,
            same: kept.filter(({ digest, row }) => row === null && digest !== null).length,
            gone: full ? there.filter(([key]) => !rows.has(key)).length : 0
          }
        })
      ),

      turn: Effect.fn("Sources.turn")((name, run, to: RunState, reason) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          stepped(state, name, run, (before, stored) => {
            const isOver = to === "failed" || to === "done" || to === "left"
            const later = stored.dueAt === null ? null : isoOf(now + Duration.toMillis(Duration.days(1)))
            return [
              { ...before, state: to, reason, endedAt: isOver ? isoOf(now) : null },
              to === "failed" ? { rows: new Map(), dueAt: later, failures: stored.failures + 1 } : {}
            ]
          }))
      ),

      next: Effect.fn("Sources.next")((name, _run, limit) =>
        Effect.sync(() =>
          [...state.sources.get(name)?.rows.values() ?? []]
            .filter(({ row }) => row !== null)
            .sort((left, right) => compareText(left.key, right.key))
            .slice(0, limit)
        )
      ),

      load: (name, run, rows, load) =>
        Effect.flatMap(load, ({ inserted, rejected, unchanged, updated }) => {
          const faulty = new Set(rejected.map(({ index }) => index))
          const loaded = new Set(rows.flatMap(({ key }, index) => faulty.has(index) ? [] : [key]))
          return stepped(state, name, run, (before, stored) => {
            const known = new Map(stored.known)
            const kept = new Map(stored.rows)
            for (const row of rows) {
              if (loaded.has(row.key)) known.set(row.key, { digest: row.digest ?? "", vanishedAt: null })
              kept.set(row.key, { ...row, row: null, digest: loaded.has(row.key) ? row.digest : null })
            }
            const reasons = rejected.map(({ field, index, reason }) => ({
              place: rows[index]?.key ?? "",
              field,
              reason
            }))
            return [{
              ...before,
              inserted: before.inserted + inserted,
              changed: before.changed + updated,
              unchanged: before.unchanged + unchanged,
              rejected: before.rejected + faulty.size,
              rejects: [...before.rejects, ...reasons].slice(0, keptRejects)
            }, { known, rows: kept }]
          })
        }),

      finish: Effect.fn("Sources.finish")((name, run, same) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          stepped(state, name, run, (before, stored) => {
            const gone = [...stored.known].filter(([key, { vanishedAt }]) =>
              run.full && vanishedAt === null && !stored.rows.has(key)
            )
            const vanished = gone.map(([key, each]) => [key, { ...each, vanishedAt: isoOf(now) }] as const)
            return [{
              ...before,
              state: "done",
              endedAt: isoOf(now),
              reason: null,
              retired: gone.length,
              unchanged: before.unchanged + same
            }, {
              known: new Map([...stored.known, ...vanished]),
              rows: new Map(),
              mark: run.mark,
              dueAt: dueAfter(stored.document, now),
              failures: 0,
              fullAt: run.full ? isoOf(now) : stored.fullAt
            }]
          }))
      ),

      postpone: Effect.fn("Sources.postpone")((name, { number }, reason) =>
        Effect.asVoid(changing(name, (stored, now) => {
          const minutes = pauses[Math.min(stored.failures, pauses.length - 1)] ?? 0
          return {
            ...stored,
            runs: stored.runs.map((run) => run.number === number && isUnderWay(run) ? { ...run, reason } : run),
            failures: stored.failures + 1,
            dueAt: stored.dueAt === null ? null : isoOf(now + minutes * 60_000)
          }
        }))
      )
    })
  })
)
