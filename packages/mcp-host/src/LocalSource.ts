/**
 * The answers of this process, for an assistant on the same machine, as the organization key that it was given.
 *
 * Every request is admitted anew, so a key that is revoked or over its limit fails on its next call, and one that is let in
 * again succeeds on the next. What admission refuses is a tool error with admission's code, since stdio has no status to
 * answer with; the list of tools is shown all the same, so that the assistant stays and can tell the refusal when it calls.
 */
import { Admission, type AdmissionRefusal, type PermissionRefusal } from "@freehold/core/access/Admission"
import { Caller } from "@freehold/core/access/Caller"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Answers } from "./Answers.ts"
import type { AssistantSource } from "./AssistantSource.ts"
import * as RefusedSource from "./RefusedSource.ts"
import { permitted } from "./Toolbox.ts"
import * as ToolResult from "./ToolResult.ts"

/** The address that the requests of a local assistant count for. */
const address = "127.0.0.1"

export const make = Effect.fnUntraced(function*(
  key: Redacted.Redacted
): Effect.fn.Return<AssistantSource, never, Admission | SecureRandom.SecureRandom | Answers> {
  const admission = yield* Admission
  const random = yield* SecureRandom.SecureRandom
  const answers = yield* Answers

  const admitted = Effect.gen(function*() {
    const { caller } = yield* admission.admit({
      address,
      authorization: `Bearer ${Redacted.value(key)}`,
      requestId: yield* random.uuidV4()
    })
    yield* permitted(caller)
    return caller
  })

  const refused =
    (...[method, params]: Parameters<AssistantSource["ask"]>) => (refusal: AdmissionRefusal | PermissionRefusal) =>
      RefusedSource.answer(method, params, ToolResult.toldOf(refusal))

  return {
    ask: (method, params) =>
      Effect.matchEffect(admitted, {
        onFailure: refused(method, params),
        onSuccess: (caller) => Effect.provideService(answers.answer(method, params), Caller, caller)
      })
  }
})
