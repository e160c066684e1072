/**
 * What the call in progress took of the records allowance, told to the host beside the answer.
 *
 * A host provides a fresh `Takings` for each call and reads it after the operation succeeded: REST shows it as
 * `meta.records`, MCP as `_meta.records`. Without a host nobody listens.
 */
import { Context, Effect, MutableRef, Option } from "effect"
import type { RecordsFacts } from "./Metering.ts"

export type Told = MutableRef.MutableRef<Option.Option<RecordsFacts>>

export const make = (): Told => MutableRef.make(Option.none<RecordsFacts>())

export const Takings = Context.Reference<Option.Option<Told>>("@freehold/core/limit/Takings", {
  defaultValue: () => Option.none()
})

/** Tells the host, if there is one; null: no allowance is in force. */
export const tell = (facts: RecordsFacts | null | undefined): Effect.Effect<void> =>
  facts === null || facts === undefined
    ? Effect.void
    : Effect.map(Takings, Option.map((told) => MutableRef.set(told, Option.some(facts))))

/** Runs the effect with somebody listening; answers with what it told. */
export const listening = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const told = make()
    return Effect.map(
      Effect.provideService(effect, Takings, Option.some(told)),
      (answer) => ({ answer, records: MutableRef.get(told) })
    )
  })
