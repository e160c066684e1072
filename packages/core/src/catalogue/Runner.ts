/** How an operation of any catalogue is run: in a place of its organization and in time, its input decoded, then handled. */
import { Effect } from "effect"
import type { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import type { Workload } from "../load/Workload.ts"
import { decoder, exceeds, invalid } from "../operation/InvalidInput.ts"
import { Counted, maximumValues } from "../operation/JsonBounds.ts"
import type { AnyOperation, RefusalOf } from "../operation/Operation.ts"
import { lookAgain } from "../operation/TemporarilyUnavailable.ts"

/**
 * Runs one operation for the caller in context, in a place of the caller's organization, and in time: decodes the input (each
 * fault is named), then handles it. What is given up while it waits for its place is not decoded.
 */
export type RunnerOf<Op extends AnyOperation> = (
  input: unknown
) => Effect.Effect<Op["output"]["Encoded"], RefusalOf<Op>, Caller>

/** Ties operations to their handlers. */
export const binder = ({ within }: Workload["Service"]) =>
<Op extends AnyOperation>(
  operation: Op,
  handler: HandlerOf<Op>
): RunnerOf<Op> => {
  const decode = decoder<Op["input"]["Type"], Op["input"]["Encoded"]>(operation.input, {
    hints: true,
    bounded: true
  })
  return (input) =>
    Effect.flatMap(Counted, (counted) =>
      !counted && exceeds(input, maximumValues)
        ? Effect.fail(invalid(null, `Expected at most ${maximumValues} values`))
        : within(
          operation.work,
          Effect.flatMap(
            Effect.suspend(() => Effect.fromResult(decode(input))),
            (decoded) => lookAgain(handler(decoded))
          )
        ))
}
