/**
 * The tools of this process, for an assistant on the same machine, as the organization key that it was given.
 *
 * Every call is admitted anew, so a key that is revoked or over its limit fails on its next call. What admission refuses
 * is a tool error with admission's code, since stdio has no status to answer with.
 */
import { Admission, type AdmissionRefusal, type PermissionRefusal } from "@freehold/core/access/Admission"
import { Caller } from "@freehold/core/access/Caller"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { permitted, Toolbox } from "./Toolbox.ts"
import * as ToolResult from "./ToolResult.ts"
import type { ToolSource } from "./ToolSource.ts"

/** The address that the requests of a local assistant count for. */
const address = "127.0.0.1"

/** Fails at once when the key is not let in, so that a wrong key is told before an assistant connects. */
export const make = Effect.fnUntraced(function*(
  key: Redacted.Redacted
): Effect.fn.Return<ToolSource, AdmissionRefusal | PermissionRefusal, Admission | SecureRandom.SecureRandom | Toolbox> {
  const admission = yield* Admission
  const random = yield* SecureRandom.SecureRandom
  const toolbox = yield* Toolbox

  const admitted = Effect.fnUntraced(function*() {
    const { caller } = yield* admission.admit({
      address,
      authorization: `Bearer ${Redacted.value(key)}`,
      requestId: yield* random.uuidV4()
    })
    yield* permitted(caller)
    return caller
  })

  const first = yield* admitted()
  return {
    list: Effect.sync(() => ({ tools: toolbox.list(first) })),
    call: (name, input) =>
      Effect.matchEffect(admitted(), {
        onFailure: (refused) => Effect.succeed(ToolResult.refusal(refused)),
        onSuccess: (caller) => Effect.provideService(toolbox.call(name, input), Caller, caller)
      })
  }
})
