/** The ports of every operation in memory, over one state, with fixed settings: what the tests of a host run on. */
import { Layer, Redacted } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import * as BundleSourceMemory from "../memory/BundleSourceMemory.ts"
import * as ChangesMemory from "../memory/ChangesMemory.ts"
import * as ContactSearchMemory from "../memory/ContactSearchMemory.ts"
import * as ContactsMemory from "../memory/ContactsMemory.ts"
import * as CountyCensusMemory from "../memory/CountyCensusMemory.ts"
import * as CustomerAccountsMemory from "../memory/CustomerAccountsMemory.ts"
import * as EventLogMemory from "../memory/EventLogMemory.ts"
import * as FirmsMemory from "../memory/FirmsMemory.ts"
import * as IdempotencyMemory from "../memory/IdempotencyMemory.ts"
import * as KeyRingMemory from "../memory/KeyRingMemory.ts"
import * as LeadFeedMemory from "../memory/LeadFeedMemory.ts"
import * as LedgerMemory from "../memory/LedgerMemory.ts"
import * as ListsMemory from "../memory/ListsMemory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as NotesMemory from "../memory/NotesMemory.ts"
import * as OperatorRequestsMemory from "../memory/OperatorRequestsMemory.ts"
import * as PipelineMemory from "../memory/PipelineMemory.ts"
import * as PropertiesMemory from "../memory/PropertiesMemory.ts"
import * as PropertyLookupMemory from "../memory/PropertyLookupMemory.ts"
import * as PropertySearchMemory from "../memory/PropertySearchMemory.ts"
import * as ResearchRunsMemory from "../memory/ResearchRunsMemory.ts"
import * as SavedSearchesMemory from "../memory/SavedSearchesMemory.ts"
import * as StandingsMemory from "../memory/StandingsMemory.ts"
import * as WebhookEndpointsMemory from "../memory/WebhookEndpointsMemory.ts"
import { CursorSeal } from "../operation/CursorSeal.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import * as SeederMemory from "./SeederMemory.ts"

/** All but the `Drafter`, which needs no store. */
export const layer = Layer.mergeAll(
  BundleSourceMemory.layer,
  ChangesMemory.layer,
  ContactSearchMemory.layer,
  ContactsMemory.layer,
  CountyCensusMemory.layer,
  CustomerAccountsMemory.layer,
  EventLogMemory.layer,
  FirmsMemory.layer,
  IdempotencyMemory.layer,
  KeyRingMemory.layer,
  LeadFeedMemory.layer,
  ListsMemory.layer,
  NotesMemory.layer,
  OperatorRequestsMemory.layer,
  PipelineMemory.layer,
  PropertiesMemory.layer,
  PropertyLookupMemory.layer,
  PropertySearchMemory.layer,
  ResearchRunsMemory.layer,
  SavedSearchesMemory.layer,
  StandingsMemory.layer,
  WebhookEndpointsMemory.layer,
  SeederMemory.layer,
  CursorSeal.layer(Redacted.make(new Uint8Array(32).fill(7))),
  Layer.succeed(ServiceSettings, { appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "public" })
).pipe(
  Layer.provideMerge(LedgerMemory.layer),
  Layer.provideMerge(MemoryState.layer),
  Layer.provideMerge(Mac.layerWebCrypto),
  Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto))
)
