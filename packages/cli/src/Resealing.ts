/** What an earlier encryption key sealed is sealed anew by the one that took its place. */
import * as ResealPg from "@freehold/adapters-pg/webhook/ResealPg"
import * as Teller from "@freehold/core/notice/Teller"
import * as Persistence from "@freehold/core/operation/Persistence"
import { Effect, Layer } from "effect"
import { earlierKeys } from "./EncryptionKey.ts"

const persistently = Persistence.make("encryption key")

/** Once, in the background, where a key takes the place of another. */
export const layer = Layer.effectDiscard(Effect.gen(function*() {
  if ((yield* earlierKeys).length === 0) return
  const tell = yield* Teller.make
  const sealing = persistently("seal anew what the earlier one sealed", ResealPg.reseal)
  yield* Effect.forkScoped(Effect.flatMap(sealing, ({ closed, earlier }) =>
    closed > 0
      ? Effect.andThen(
        Effect.logWarning(`${earlier} secrets were sealed anew; ${closed} open with neither key`),
        tell({
          orgId: null,
          kind: "resealing_failed",
          cause: "encryption key",
          text: `${earlier} secrets were sealed anew by the new encryption key; ${closed} open with neither key.`
        })
      )
      : Effect.logInfo(
        `${earlier} secrets were sealed anew; FREEHOLD_ENCRYPTION_KEY_PREVIOUS is not needed for them any more`
      )))
}))
