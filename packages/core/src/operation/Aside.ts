/**
 * What an operation tells its host beside the answer.
 *
 * A host listens to one call at a time and looks at what it was told once the operation succeeded. Without a host nobody
 * listens, and telling does nothing.
 */
import { Context, Effect, MutableRef, Option } from "effect"

export const make = <Facts>(key: string) => {
  const Listener = Context.Reference<Option.Option<MutableRef.MutableRef<Option.Option<Facts>>>>(key, {
    defaultValue: () => Option.none()
  })

  return {
    /** Tells the host, if there is one; what was told before is forgotten. */
    tell: (facts: Facts): Effect.Effect<void> =>
      Effect.map(Listener, Option.map((told) => MutableRef.set(told, Option.some(facts)))),

    /** Somebody who listens to what runs in the context that `heard` answers with. */
    listener: () => {
      const told = MutableRef.make(Option.none<Facts>())
      return {
        heard: <R>(context: Context.Context<R>) => Context.add(context, Listener, Option.some(told)),
        told: () => MutableRef.get(told)
      }
    },

    /** Runs the effect with somebody listening; answers with what it told. */
    listening: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const told = MutableRef.make(Option.none<Facts>())
        return Effect.map(
          Effect.provideService(effect, Listener, Option.some(told)),
          (answer) => ({ answer, told: MutableRef.get(told) })
        )
      })
  }
}
