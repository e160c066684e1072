/** What is made sure of a database beyond its schema before anything works over it: each refuses it in words. */
import * as Publication from "@freehold/adapters-pg/cell/Publication"
import * as Subscription from "@freehold/adapters-pg/cell/Subscription"
import * as KeyProofPg from "@freehold/adapters-pg/webhook/KeyProofPg"
import { Effect, Option } from "effect"
import { importer } from "./CellClients.ts"
import { CommandRefused } from "./CommandRefused.ts"
import { faultOf } from "./DatabaseFault.ts"
import { IsNew, placeOf } from "./EncryptionKey.ts"
import * as SecretFile from "./SecretFile.ts"
import { Settings } from "./Settings.ts"

/** A cell says which migrations it ran, since the importing installation's come after them. */
export const tellImporter = Effect.gen(function*() {
  const { importerUrl } = yield* Settings
  if (Option.isSome(importerUrl)) yield* Effect.provide(Subscription.tellMigration, importer)
}).pipe(
  Effect.catch((error) =>
    Effect.logWarning(`the importing installation does not know of this migration yet: ${error.message}`)
  )
)

const putBack =
  "Put back the one that was kept with the backup; if it is lost, see: freehold webhook replace-key --help"

/** A key that was made because the right one was not there is taken away again: it would be taken for a wrong one. */
const keyIsAnother = Effect.fnUntraced(function*({ message }: KeyProofPg.KeyIsAnother) {
  const place = yield* placeOf
  if (!(yield* IsNew)) {
    return yield* new CommandRefused({ reason: `the encryption key in ${place} is wrong: ${message}. ${putBack}` })
  }
  yield* SecretFile.discard(place)
  return yield* new CommandRefused({
    reason: `the encryption key ${place} is missing, and the stored secrets cannot be opened without it. ${putBack}`
  })
})

/** What the database holds sealed was sealed with another key. */
export const refuseOtherKey = KeyProofPg.prove.pipe(
  Effect.catchTags({
    SqlError: (error) => Effect.fail(faultOf(error)),
    KeyIsAnother: keyIsAnother
  })
)

/** A cell's records are those of another installation. */
export const refuseCell = Effect.gen(function*() {
  const cell = yield* Effect.mapError(Publication.cellName, faultOf)
  if (cell !== null) {
    return yield* new CommandRefused({
      reason:
        `this installation is the cell ${cell}, which receives its records; import them at the importing installation`
    })
  }
})

/** A cell writes about records at the importing installation, and has to know where that is. */
export const refuseLoneCell = Effect.gen(function*() {
  const { importerUrl } = yield* Settings
  const cell = yield* Effect.mapError(Publication.cellName, faultOf)
  if (cell !== null && Option.isNone(importerUrl)) {
    return yield* new CommandRefused({
      reason: `this installation is the cell ${cell}, and records are written at the importing installation; `
        + "set FREEHOLD_IMPORTER_URL to its database"
    })
  }
})
