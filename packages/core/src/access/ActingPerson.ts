/** The person behind a call, and the refusal of what needs one. */
import { Schema } from "effect"
import type { CallerFacts } from "./Caller.ts"

/** A member who acts, through the command line or an assistant. */
export interface ActingPerson {
  readonly memberId: string
  readonly name: string
}

/** The person behind the call; null when an organization's key acts. */
export const actingPerson = (caller: CallerFacts): ActingPerson | null => {
  switch (caller.kind) {
    case "key":
      return null
  }
}

/** The action must be attributed to a person. service-api "Access and account codes". */
export class ActingUserRequired extends Schema.TaggedError<ActingUserRequired>()("ACTING_USER_REQUIRED", {}) {
  override get message() {
    return "This needs a person behind it; an organization key cannot do it."
  }
}
