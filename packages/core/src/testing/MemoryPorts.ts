/** The ports of every operation in memory, over one state, with fixed settings: what the tests of a host run on. */
import { Layer, Redacted } from "effect"
import { Cipher, Digest, Mac, SecureRandom } from "effect/crypto"
import * as ConnectionsMemory from "../memory/access/ConnectionsMemory.ts"
import * as KeyRingMemory from "../memory/access/KeyRingMemory.ts"
import * as OperatorSessionsMemory from "../memory/access/OperatorSessionsMemory.ts"
import * as SessionsMemory from "../memory/access/SessionsMemory.ts"
import * as AdministrationLogMemory from "../memory/administration/AdministrationLogMemory.ts"
import * as OperatorLogMemory from "../memory/administration/OperatorLogMemory.ts"
import * as ChangesMemory from "../memory/change/ChangesMemory.ts"
import * as ContactSearchMemory from "../memory/contact/ContactSearchMemory.ts"
import * as ContactsMemory from "../memory/contact/ContactsMemory.ts"
import * as CountyCensusMemory from "../memory/coverage/CountyCensusMemory.ts"
import * as StandingsMemory from "../memory/coverage/StandingsMemory.ts"
import * as LedgerMemory from "../memory/credit/LedgerMemory.ts"
import * as LedgerReportMemory from "../memory/credit/LedgerReportMemory.ts"
import * as CustomerAccountsMemory from "../memory/customer/CustomerAccountsMemory.ts"
import * as EventLogMemory from "../memory/event/EventLogMemory.ts"
import * as FirmsMemory from "../memory/firm/FirmsMemory.ts"
import * as BundleSourceMemory from "../memory/lead/BundleSourceMemory.ts"
import * as LeadFeedMemory from "../memory/lead/LeadFeedMemory.ts"
import * as ListsMemory from "../memory/list/ListsMemory.ts"
import * as MapPointsMemory from "../memory/map/MapPointsMemory.ts"
import { MemoryState } from "../memory/MemoryState.ts"
import * as NotesMemory from "../memory/note/NotesMemory.ts"
import * as NoticeMailsMemory from "../memory/notice/NoticeMailsMemory.ts"
import * as NoticesMemory from "../memory/notice/NoticesMemory.ts"
import * as IdempotencyMemory from "../memory/operation/IdempotencyMemory.ts"
import * as OrganizationsMemory from "../memory/organization/OrganizationsMemory.ts"
import * as BoardMemory from "../memory/pipeline/BoardMemory.ts"
import * as PipelineMemory from "../memory/pipeline/PipelineMemory.ts"
import * as PropertiesMemory from "../memory/property/PropertiesMemory.ts"
import * as PropertyLookupMemory from "../memory/property/PropertyLookupMemory.ts"
import * as PropertySearchMemory from "../memory/property/PropertySearchMemory.ts"
import * as OperatorRequestsMemory from "../memory/request/OperatorRequestsMemory.ts"
import * as ResearchRunsMemory from "../memory/research/ResearchRunsMemory.ts"
import * as SavedSearchesMemory from "../memory/search/SavedSearchesMemory.ts"
import * as TasksMemory from "../memory/task/TasksMemory.ts"
import * as PageViewsMemory from "../memory/viewing/PageViewsMemory.ts"
import * as WebhookEndpointsMemory from "../memory/webhook/WebhookEndpointsMemory.ts"
import { CursorSeal } from "../operation/CursorSeal.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import * as SeederMemory from "./SeederMemory.ts"

/** All but the `Drafter`, which needs no store. */
export const layer = Layer.mergeAll(
  BoardMemory.layer,
  AdministrationLogMemory.layer,
  BundleSourceMemory.layer,
  ChangesMemory.layer,
  ConnectionsMemory.layer,
  ContactSearchMemory.layer,
  ContactsMemory.layer,
  CountyCensusMemory.layer,
  CustomerAccountsMemory.layer,
  EventLogMemory.layer,
  FirmsMemory.layer,
  IdempotencyMemory.layer,
  KeyRingMemory.layer,
  LeadFeedMemory.layer,
  LedgerReportMemory.layer,
  ListsMemory.layer,
  MapPointsMemory.layer,
  NotesMemory.layer,
  NoticeMailsMemory.layer,
  NoticesMemory.layer,
  OperatorLogMemory.layer,
  OperatorRequestsMemory.layer,
  OperatorSessionsMemory.layer,
  OrganizationsMemory.layer,
  PageViewsMemory.layer,
  PipelineMemory.layer,
  PropertiesMemory.layer,
  PropertyLookupMemory.layer,
  PropertySearchMemory.layer,
  ResearchRunsMemory.layer,
  SavedSearchesMemory.layer,
  SessionsMemory.layer,
  StandingsMemory.layer,
  TasksMemory.layer,
  WebhookEndpointsMemory.layer,
  SeederMemory.layer,
  CursorSeal.layer(Redacted.make(new Uint8Array(32).fill(7))),
  Layer.succeed(ServiceSettings, { appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "public" })
).pipe(
  Layer.provideMerge(LedgerMemory.layer),
  Layer.provideMerge(MemoryState.layer),
  Layer.provideMerge(Layer.merge(Cipher.layerWebCrypto, Mac.layerWebCrypto)),
  Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto))
)
