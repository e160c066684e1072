/** The ports that need nothing but a database, over PostgreSQL. */
import * as OperatorSessionsPg from "@freehold/adapters-pg/access/OperatorSessionsPg"
import * as SessionsPg from "@freehold/adapters-pg/access/SessionsPg"
import * as Importer from "@freehold/adapters-pg/cell/Importer"
import * as ChangesPg from "@freehold/adapters-pg/change/ChangesPg"
import * as ContactSearchPg from "@freehold/adapters-pg/contact/ContactSearchPg"
import * as ContactsPg from "@freehold/adapters-pg/contact/ContactsPg"
import * as CountyCensusPg from "@freehold/adapters-pg/coverage/CountyCensusPg"
import * as StandingsPg from "@freehold/adapters-pg/coverage/StandingsPg"
import * as AllotmentsPg from "@freehold/adapters-pg/credit/AllotmentsPg"
import * as LedgerReportPg from "@freehold/adapters-pg/credit/LedgerReportPg"
import * as CustomerAccountsPg from "@freehold/adapters-pg/customer/CustomerAccountsPg"
import type { Manner } from "@freehold/adapters-pg/database/Pools"
import * as EventLogPg from "@freehold/adapters-pg/event/EventLogPg"
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as OwnerMatchesPg from "@freehold/adapters-pg/firm/OwnerMatchesPg"
import * as ImportRunsPg from "@freehold/adapters-pg/import/ImportRunsPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as LeadFeedPg from "@freehold/adapters-pg/lead/LeadFeedPg"
import * as ListsPg from "@freehold/adapters-pg/list/ListsPg"
import * as MapPointsPg from "@freehold/adapters-pg/map/MapPointsPg"
import * as NotesPg from "@freehold/adapters-pg/note/NotesPg"
import * as NoticeMailsPg from "@freehold/adapters-pg/notice/NoticeMailsPg"
import * as NoticesPg from "@freehold/adapters-pg/notice/NoticesPg"
import * as BoardPg from "@freehold/adapters-pg/pipeline/BoardPg"
import * as PipelinePg from "@freehold/adapters-pg/pipeline/PipelinePg"
import * as PlaceMatchesPg from "@freehold/adapters-pg/property/PlaceMatchesPg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as PropertyLookupPg from "@freehold/adapters-pg/property/PropertyLookupPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import * as ResearchSubjectsPg from "@freehold/adapters-pg/research/ResearchSubjectsPg"
import * as RetentionPg from "@freehold/adapters-pg/retention/RetentionPg"
import * as SavedSearchesPg from "@freehold/adapters-pg/search/SavedSearchesPg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as TasksPg from "@freehold/adapters-pg/task/TasksPg"
import * as PageViewsPg from "@freehold/adapters-pg/viewing/PageViewsPg"
import { Effect, Layer, Option, type Redacted } from "effect"
import { accounts } from "./composition/Accounts.ts"
import { Settings } from "./Settings.ts"

/** What writes records that are everybody's. */
const written = Layer.mergeAll(ImportStorePg.layer, PropertyMergesPg.layer, SuppressionsPg.layer)

/** A cell writes them at the importing installation, from where they come back to all cells. */
const writtenAt = (url: Redacted.Redacted, manner: Manner) => {
  const clients = Importer.clients(url, manner)
  const subjects = Layer.unwrap(Effect.map(Importer.Importer, ResearchSubjectsPg.layerAt))
  return Layer.merge(
    written.pipe(Layer.provide(clients)),
    subjects.pipe(Layer.provide(Importer.layer.pipe(Layer.provide(clients))))
  ).pipe(Layer.orDie)
}

const shared = Layer.unwrap(
  Effect.map(Settings, ({ databaseManner, importerUrl }) =>
    Option.match(importerUrl, {
      onNone: () => Layer.merge(written, ResearchSubjectsPg.layer),
      onSome: (url) => writtenAt(url, databaseManner)
    }))
)

/** What an organization has, and reads. */
const own = Layer.mergeAll(
  accounts,
  AllotmentsPg.layer,
  BundleSourcePg.layer,
  ChangesPg.layer,
  ContactSearchPg.layer,
  ContactsPg.layer,
  FirmsPg.layer,
  CustomerAccountsPg.layer,
  EventLogPg.layer,
  CountyCensusPg.layer,
  ImportRunsPg.layer,
  LeadFeedPg.layer,
  LedgerReportPg.layer,
  ListsPg.layer,
  MapPointsPg.layer,
  NotesPg.layer,
  NoticeMailsPg.layer,
  NoticesPg.layer,
  PageViewsPg.layer,
  OperatorSessionsPg.layer,
  OwnerMatchesPg.layer,
  BoardPg.layer,
  PipelinePg.layer,
  PlaceMatchesPg.layer,
  PropertiesPg.layer,
  PropertyLookupPg.layer,
  PropertySearchPg.layer,
  RetentionPg.layer,
  SessionsPg.layer,
  StandingsPg.layer,
  SavedSearchesPg.layer,
  TasksPg.layer
)

/** Needs the connections of whoever uses it. */
export const records = Layer.merge(own, shared)
