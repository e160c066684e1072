/** What answers an operation once its caller was let in. */
import type { Effect } from "effect"
import type { AnyOperation, RefusalOf } from "../operation/Operation.ts"
import type { Caller } from "./Caller.ts"

/** The code that answers an operation, once its input is decoded and its caller admitted. */
export type HandlerOf<Op extends AnyOperation> = (
  input: Op["input"]["Type"]
) => Effect.Effect<Op["output"]["Encoded"], RefusalOf<Op>, Caller>
