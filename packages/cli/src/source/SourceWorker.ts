/**
 * Syncs what is due, one source after the other, in the background of a server or a worker. Any number may run: one syncs, the
 * others look again later.
 */
import * as Publication from "@freehold/adapters-pg/cell/Publication"
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import * as Teller from "@freehold/core/notice/Teller"
import type { Told } from "@freehold/core/notice/Teller"
import * as Persistence from "@freehold/core/operation/Persistence"
import { repeated, Sources } from "@freehold/core/source/Sources"
import { Cause, Duration, Effect, Layer, Option } from "effect"
import * as ConfiguredReader from "./ConfiguredReader.ts"
import * as SourceSync from "./SourceSync.ts"

const poll = Duration.seconds(20)

const persistently = Persistence.make("sources")

/** What a sync came to, in one line. */
const tell = (name: string, outcome: SourceSync.SyncOutcome) => {
  const { changed, formerCounties, inserted, read, reason, rejected, retired, state, unchanged } = outcome.run
  if (outcome._tag === "Postponed") return Effect.logWarning(`source ${name}: put off: ${outcome.reason}`)
  if (state !== "done") return Effect.logWarning(`source ${name}: ${state}: ${reason ?? ""}`)
  const former = FormerCountyRows.told(formerCounties)
  return Effect.andThen(
    Effect.logInfo(
      `source ${name}: ${read} read, ${inserted} inserted, ${changed} changed, ${unchanged} unchanged, ${
        repeated(outcome.run)
      } repeated, ${rejected} rejected, ${retired} retired`
    ),
    former === null ? Effect.void : Effect.logInfo(`source ${name}: ${former}`)
  )
}

/** What the operator has to know of a sync; null: nothing. */
export const noticeOf = (name: string, { _tag, run: { reason, state } }: SourceSync.SyncOutcome): Told | null => {
  if (_tag !== "Ended" || state !== "asks" && state !== "failed") return null
  const because = reason === null ? "" : `: ${reason}`
  return state === "asks"
    ? { orgId: null, kind: "source_asks", cause: name, text: `The source ${name} stopped, and asks${because}` }
    : { orgId: null, kind: "source_failed", cause: name, text: `The source ${name} could not be synced${because}` }
}

export const run = Effect.fn("SourceWorker.run")(function*() {
  const sources = yield* Sources
  const tellOperator = yield* Teller.make
  const { sync } = yield* SourceSync.make

  const syncOne = Effect.fnUntraced(function*(name: string) {
    const found = yield* sources.find(name)
    if (Option.isNone(found) || found.value.paused) return
    yield* sync(found.value, { accept: false }).pipe(
      Effect.tap((outcome) => tell(name, outcome)),
      Effect.map((outcome) => noticeOf(name, outcome)),
      Effect.flatMap((notice) => notice === null ? Effect.void : tellOperator(notice)),
      Effect.catchTag("RunTaken", ({ message }) => Effect.logWarning(message))
    )
  })

  const putOff = Effect.fnUntraced(function*(name: string, reason: string) {
    const run = Option.getOrNull(yield* sources.find(name))?.lastRun ?? null
    if (run !== null) yield* sources.postpone(name, run, reason)
  })

  /** A fault of ours with one source keeps no other from its sync, nor does a step that the database does not do. */
  const syncOrPutOff = (name: string) =>
    syncOne(name).pipe(
      Effect.catchTag("TEMPORARILY_UNAVAILABLE", () =>
        Effect.andThen(
          putOff(name, "the database did not do a step of it"),
          Effect.logWarning(`source ${name}: put off: the database did not do a step of it`)
        )),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`source ${name}: put off after a fault`, Cause.die(defect)),
          putOff(name, "a fault of the program, which its log tells of")
        )
      )
    )

  while (true) {
    yield* persistently(
      "sync what is due",
      Effect.gen(function*() {
        const due = yield* sources.due
        if (due.length > 0) yield* sources.alone(Effect.forEach(due, syncOrPutOff, { discard: true }))
      })
    )
    yield* Effect.sleep(poll)
  }
})

/** In the background for as long as the layer lives. */
export const layer = Layer.effectDiscard(Effect.forkScoped(run()))

/** The same, with what the operator set; a cell receives what its importer synced. */
export const layerConfigured = Layer.unwrap(
  Effect.map(
    Effect.orDie(Publication.cellName),
    (cell) => cell === null ? layer.pipe(Layer.provide(ConfiguredReader.layer)) : Layer.empty
  )
)
