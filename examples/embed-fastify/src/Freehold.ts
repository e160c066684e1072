/** What of Freehold this backend uses: keys, own actions and their ledger, over PostgreSQL. */
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as LedgerPg from "@freehold/adapters-pg/credit/LedgerPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import { Admission } from "@freehold/core/access/Admission"
import { OwnActionBilling } from "@freehold/core/credit/OwnActionBilling"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"

/** `DATABASE_URL`, or the embedded server in `FREEHOLD_DATA_DIR`; with the schema brought up to date. */
const database = Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(Database.layerConfig))

const ports = Layer.mergeAll(KeyRingPg.layer, LedgerPg.layer, OrganizationsPg.layer).pipe(Layer.provide(database))

const randomness = Layer.provideMerge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

export const layer = Layer.mergeAll(Admission.layer, OwnActionBilling.layer).pipe(
  Layer.provide(AddressLimiter.layer),
  Layer.provideMerge(ports),
  Layer.provideMerge(randomness)
)
