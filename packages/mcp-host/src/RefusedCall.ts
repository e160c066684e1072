/** A call that was refused, what is read of its arguments, and the form of the step that helps. */
import type { Values } from "./MendedArguments.ts"

/** The call that was refused, and the detail of its refusal. */
export interface RefusedCall {
  readonly tool: string
  readonly input: Values
  /** Arguments that fit the tool, with what of the input fits. */
  readonly exampleFor: (input: Values) => Values
  readonly detail: Values
}

export interface NextStep {
  /** The tool to call. */
  readonly tool?: string
  readonly arguments?: Values
  /** The arguments show their form and are not those of the call. */
  readonly example?: true
  /** Arguments that are still to be given: what the person knows, or in the place of one that does not fit. */
  readonly missing?: ReadonlyArray<string>
  /** The same call helps, after so many seconds. */
  readonly retry_after_seconds?: number
  /** Who can change what stands in the way. */
  readonly ask?: "admin" | "operator" | "member"
}

export type Step = (call: RefusedCall) => NextStep

/** The value, where it is text. */
export const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** What of the value is text. */
export const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
