/** Who of the operator's people asks. It is no `Caller`: it belongs to no organization, and no member's operation runs for it. */
import { Context, Effect } from "effect"
import type { AnyOperation, RefusalOf } from "../operation/Operation.ts"
import type { EntryActor } from "./EntryActor.ts"

/** One of the operator's people, as the door found them. */
export interface OperatorFacts {
  readonly sessionId: string
  readonly name: string
  /** When the session ends, unless it is used before: ISO-8601. */
  readonly expiresAt: string
  readonly requestId: string
}

/** Whoever of the operator's people is behind a request, for as long as it is answered. */
export class Operator extends Context.Service<Operator, OperatorFacts>()("@freehold/core/access/Operator") {
  /** As the author of what is done. */
  static readonly actor = Effect.map(
    Operator,
    ({ name }): EntryActor => ({ kind: "operator", id: null, name })
  )
}

/** The code that answers an operation of the operator's area, once its input is decoded. */
export type OperatorHandlerOf<Op extends AnyOperation> = (
  input: Op["input"]["Type"]
) => Effect.Effect<Op["output"]["Encoded"], RefusalOf<Op>, Operator>
