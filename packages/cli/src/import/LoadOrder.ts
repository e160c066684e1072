/**
 * Which loads of an import may be under way at once: those that have no record in common. The others keep the order of the
 * file.
 */
import { Deferred, Effect } from "effect"

interface Load {
  /** Null: everything. */
  readonly records: ReadonlySet<string> | null
  readonly done: Deferred.Deferred<void>
}

const meet = (a: Load["records"], b: Load["records"]): boolean => {
  if (a === null || b === null) return true
  for (const record of a) if (b.has(record)) return true
  return false
}

/** Answers what gives a load its place: it waits for those before it that have a record in common with it. */
export const make = () => {
  const underWay = new Set<Load>()
  return <A, E, R>(records: Load["records"], effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const before = Array.from(underWay).filter((load) => meet(load.records, records))
    const load: Load = { records, done: Deferred.makeUnsafe<void>() }
    underWay.add(load)
    return Effect.forEach(before, ({ done }) => Deferred.await(done), { discard: true }).pipe(
      Effect.andThen(effect),
      Effect.ensuring(Effect.sync(() => {
        underWay.delete(load)
        Deferred.doneUnsafe(load.done, Effect.void)
      }))
    )
  }
}
