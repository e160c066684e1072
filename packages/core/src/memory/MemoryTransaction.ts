/**
 * All-or-nothing over several steps on the in-memory state.
 *
 * While one effect runs `alone`, no call that runs `alongside` is under way; when it fails, what belongs to customers
 * (organizations, members, keys, accounts, the log of administration) is put back as it was.
 *
 * *Gotchas.* A single synchronous change does not wait its turn here. One that is made by someone else while an effect
 * runs alone is lost with it when that effect fails.
 */
import { Context, Effect, Semaphore } from "effect"
import type { State } from "./MemoryState.ts"

const everyone = 1_000_000

/** By state, so that the adapters over one state share it without knowing of each other. */
const locks = new WeakMap<State, Semaphore.Semaphore>()

const Alone = Context.Reference<boolean>("@freehold/core/memory/MemoryTransaction/Alone", {
  defaultValue: () => false
})

const lockOf = (state: State): Semaphore.Semaphore => {
  const lock = locks.get(state) ?? Semaphore.makeUnsafe(everyone)
  locks.set(state, lock)
  return lock
}

const restore = <K, V>(target: Map<K, V>, saved: ReadonlyMap<K, V>): void => {
  target.clear()
  for (const [key, value] of saved) target.set(key, value)
}

/** Runs the effect when nothing runs alone, or as a part of what does. */
export const alongside = <A, E, R>(state: State, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Alone, (alone) => alone ? effect : lockOf(state).withPermits(1)(effect))

/** Runs the effect when nothing else is under way; unless it succeeds, nothing of it remains. */
export const alone = <A, E, R>(state: State, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Alone, (already) =>
    already ? effect : lockOf(state).withPermits(everyone)(Effect.suspend(() => {
      const organizations = new Map(state.organizations)
      const members = new Map(state.members)
      const identities = new Map(state.identities)
      const credentials = new Map(state.credentials)
      const accounts = new Map(state.accounts)
      const administration = new Map(state.administration)
      return Effect.provideService(effect, Alone, true).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            restore(state.organizations, organizations)
            restore(state.members, members)
            restore(state.identities, identities)
            restore(state.credentials, credentials)
            restore(state.accounts, accounts)
            restore(state.administration, administration)
          })
        )
      )
    })))
