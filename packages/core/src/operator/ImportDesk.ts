/** The operator uploads files of rows, has them loaded, and sees how each import went. */
import { type Cause, Clock, Effect, Fiber, Option, Queue, Ref, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Operator, type OperatorHandlerOf } from "../access/Operator.ts"
import { Importer } from "../import/Importer.ts"
import { heartbeat, type ImportRun, ImportRuns, largestPart, mostParts, noRows } from "../import/ImportRuns.ts"
import * as Teller from "../notice/Teller.ts"
import { invalid } from "../operation/InvalidInput.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import {
  type BeginImport,
  type GetImport,
  ImportRunning,
  type ListImports,
  type ListRejects,
  type StartImport
} from "./ImportOperations.ts"
import * as OperatorWork from "./OperatorWork.ts"

const shownRuns = 50

/** What is told of an import, and not written down yet, at most. */
const toldAhead = 16

const unknown = invalid("id", "There is no such import")

/** The outcome of a file that was uploaded while another one was being loaded. */
const nothingOf = (other: string) => ({
  counts: noRows,
  shown: [],
  note: null,
  fault: `refused, since ${other} was being loaded; import it again`
})

type Started = Option.Option.Value<Effect.Success<ReturnType<ImportRuns["Service"]["start"]>>>

/** Runs go on in the scope after they were asked for. */
export const make = Effect.gen(function*() {
  const runs = yield* ImportRuns
  const importer = yield* Importer
  const random = yield* SecureRandom.SecureRandom
  const tell = yield* Teller.make
  const { act } = yield* OperatorWork.make
  /** The import whose file is being loaded; null: none is. */
  const loading = yield* Ref.make<Pick<ImportRun, "id" | "name"> | null>(null)
  const scope = yield* Effect.scope
  const done = Ref.set(loading, null)

  const begin: OperatorHandlerOf<typeof BeginImport> = Effect.fn("ImportDesk.begin")(
    function*({ dry_run: dryRun, kind, map, name, reason, strict }) {
      // Before it is uploaded in vain.
      const other = yield* Ref.get(loading)
      if (other !== null) return yield* new ImportRunning({ name: other.name })
      if (map === null && /\.(csv|tsv)(\.gz)?$/i.test(name)) return yield* invalid("map", "A CSV file needs a map")
      if (map !== null) {
        yield* Effect.mapError(importer.check(kind, map), ({ message }) => invalid("map", message))
      }
      const id = yield* Effect.orDie(random.uuidV7())
      const { name: by } = yield* Operator
      return yield* act(
        reason,
        Effect.gen(function*() {
          yield* runs.begin({ id, kind, name, strict, dryRun, by, map, now: yield* Clock.currentTimeMillis })
          return [{ id, part_bytes: largestPart, most_parts: mostParts }, {
            orgId: null,
            action: "import.started" as const,
            subject: name,
            before: null,
            after: { id, kind, strict, dry_run: dryRun }
          }] as const
        })
      )
    }
  )

  /** Keeps a part of an upload; false: it is none that comes next. */
  const addPart = (part: { readonly id: string; readonly number: number; readonly bytes: Uint8Array }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => runs.addPart({ ...part, now }))

  /**
   * Runs work that tells how far it is. What it tells is written down beside it, in order: a strict import, or one that is
   * only tried, is one transaction, which nobody sees before it ends, and which may be taken back.
   */
  const telling = Effect.fnUntraced(function*<A, E, R>(
    work: (tell: (told: Effect.Effect<void, TemporarilyUnavailable>) => Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) {
    const told = yield* Queue.bounded<Effect.Effect<void, TemporarilyUnavailable>, Cause.Done>(toldAhead)
    const teller = yield* Effect.forkChild(Stream.runForEach(Stream.fromQueue(told), Effect.ignore))
    return yield* work((each) => Effect.asVoid(Queue.offer(told, each))).pipe(
      Effect.ensuring(Effect.andThen(Queue.end(told), Fiber.join(teller)))
    )
  })

  const load = Effect.fnUntraced(function*({ map, parts, run }: Started) {
    const { dryRun, id, kind, name, strict } = run
    const bytes = Stream.range(0, parts - 1).pipe(
      Stream.mapEffect((number) =>
        Effect.flatMap(runs.part(id, number), Effect.fromOption).pipe(Effect.catchTag("NoSuchElementError", Effect.die))
      )
    )
    const reached = yield* Ref.make({ counts: noRows, bytesRead: 0 })
    // What was loaded before a fault stays, unless all of it was one transaction.
    const failed = (fault: string) =>
      Effect.map(Ref.get(reached), ({ counts }) => ({
        counts: strict || dryRun ? noRows : counts,
        shown: Effect.succeed([]),
        note: null,
        fault
      }))
    const outcome = yield* telling((tell) => {
      const progress = Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        yield* tell(runs.progress(id, { ...yield* Ref.get(reached), now }))
      })
      return importer.run({
        kind,
        name,
        map,
        strict,
        dryRun,
        bytes,
        onProgress: (counts, bytesRead) => Effect.andThen(Ref.set(reached, { counts, bytesRead }), progress),
        onRejects: (lines) => tell(runs.keeping(Effect.flatMap(lines, (text) => runs.reject(id, text))))
      }).pipe(
        // It may wait for others, or make indexes, for longer than a run is believed to be at work.
        Effect.raceFirst(Effect.forever(Effect.andThen(Effect.sleep(heartbeat), progress)))
      )
    }).pipe(
      Effect.map((done) => ({ ...done, fault: null })),
      Effect.catch(({ message }) => failed(message)),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logError("an import failed", cause),
          failed("something went wrong on our side; the log has it")
        )
      )
    )
    if (outcome.fault !== null) {
      const text = `The import of ${kind} from ${name} failed: ${outcome.fault}`
      yield* tell({ orgId: null, kind: "import_failed", cause: id, text })
    }
    const now = yield* Clock.currentTimeMillis
    yield* runs.keeping(Effect.flatMap(outcome.shown, (shown) => runs.end(id, { ...outcome, shown, now })))
  })

  const show: OperatorHandlerOf<typeof GetImport> = Effect.fn("ImportDesk.show")(function*({ id }) {
    const found = yield* runs.find(id.toLowerCase(), yield* Clock.currentTimeMillis)
    return Option.isSome(found) ? found.value : yield* unknown
  })

  const start: OperatorHandlerOf<typeof StartImport> = Effect.fn("ImportDesk.start")(function*({ id }) {
    const now = yield* Clock.currentTimeMillis
    const run = yield* show({ id })
    // Taken for as long as it is loaded, which is longer than this call.
    const other = yield* Ref.modify(loading, (before) => [before, before ?? run] as const)
    const start = runs.start(run.id, now)
    if (other !== null) {
      // Who asks again for what is about to be loaded takes it from nobody.
      if (other.id !== run.id && Option.isSome(yield* start)) {
        yield* runs.end(run.id, { ...nothingOf(other.name), now })
      }
      return yield* new ImportRunning({ name: other.name })
    }
    const started = yield* start.pipe(
      Effect.onExit((exit) => exit._tag === "Success" && Option.isSome(exit.value) ? Effect.void : done)
    )
    if (Option.isNone(started)) return yield* unknown
    yield* load(started.value).pipe(
      Effect.ensuring(done),
      Effect.ignore,
      Effect.forkIn(scope)
    )
    return started.value.run
  })

  const list: OperatorHandlerOf<typeof ListImports> = Effect.fn("ImportDesk.list")(function*() {
    return { items: yield* runs.list(shownRuns, yield* Clock.currentTimeMillis) }
  })

  const rejects: OperatorHandlerOf<typeof ListRejects> = Effect.fn("ImportDesk.rejects")(function*({ after, id }) {
    const texts = yield* runs.rejects(id.toLowerCase(), after)
    return { texts, next: texts.length === 0 ? null : after + texts.length }
  })

  return { begin, addPart, start, show, list, rejects }
})
