/** What of Freehold this backend uses, and where each part of it is kept: over PostgreSQL. */
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as LedgerPg from "@freehold/adapters-pg/credit/LedgerPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as LeadFeedPg from "@freehold/adapters-pg/lead/LeadFeedPg"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as PipelinePg from "@freehold/adapters-pg/pipeline/PipelinePg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import { Admission } from "@freehold/core/access/Admission"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as BillingAccounts from "./BillingAccounts.ts"
import { Leads } from "./Leads.ts"

/** `DATABASE_URL`, or the embedded server in `FREEHOLD_DATA_DIR`; with the schema brought up to date. */
const database = Layer.effectDiscard(Migrations.run).pipe(Layer.provideMerge(Database.layerConfig))

const ports = Layer.mergeAll(
  BundleSourcePg.layer,
  KeyRingPg.layer,
  LeadFeedPg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  PipelinePg.layer,
  PropertiesPg.layer
).pipe(Layer.provide(database))

const settings = Layer.succeed(ServiceSettings, { appUrl: null, feedDelayMillis: 10_000, webhookTargets: "public" })

const randomness = Layer.provideMerge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

/** `accounts`: where the billing system answers; undefined: the stored state of an organization alone decides. */
export const layer = (accounts: string | undefined) =>
  Leads.layer.pipe(
    Layer.provide(Admission.layer),
    Layer.provide(accounts === undefined ? Layer.empty : BillingAccounts.layer(accounts)),
    Layer.provide([AddressLimiter.layer, settings]),
    Layer.provideMerge(ports),
    Layer.provideMerge(randomness)
  )
