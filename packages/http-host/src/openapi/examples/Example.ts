/** One call: what is given to an operation and what it answers. */
import type { AnyOperation } from "@freehold/core/operation/Operation"

export interface Example {
  readonly operation: string
  /** By input key, wherever the endpoint has it. */
  readonly given: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** Checks the call against the operation's own types. */
export const example = <Op extends AnyOperation>(
  operation: Op,
  given: Op["input"]["Encoded"] & Readonly<Record<string, unknown>>,
  answer: Op["output"]["Encoded"]
): Example => ({ operation: operation.name, given, answer })
