/**
 * All operations, and the one service that runs them.
 *
 * A host looks an operation up here, admits the caller, decodes the input and calls the handler; it knows no other way
 * into the domain.
 */
import { Context, Effect, Layer } from "effect"
import {
  DescribeWorkspace,
  GetAccount,
  GetCreditBalance,
  GetIdentity,
  GetPriceSheet
} from "../account/AccountOperations.ts"
import * as AccountReader from "../account/AccountReader.ts"
import { GetAllowance } from "../account/AllowanceOperations.ts"
import * as AllowanceReader from "../account/AllowanceReader.ts"
import { GetChanges } from "../change/ChangeOperations.ts"
import * as ChangeReader from "../change/ChangeReader.ts"
import {
  BrowseContacts,
  FindContacts,
  GetContact,
  GetContactRelationships,
  RevealContact
} from "../contact/ContactOperations.ts"
import * as ContactReader from "../contact/ContactReader.ts"
import * as ContactSearcher from "../contact/ContactSearcher.ts"
import { GetCreditLedger } from "../credit/CreditOperations.ts"
import * as LedgerReader from "../credit/LedgerReader.ts"
import { SyncCustomerAccounts } from "../customer/CustomerOperations.ts"
import * as CustomerSync from "../customer/CustomerSync.ts"
import { ListEvents } from "../event/EventOperations.ts"
import * as EventReader from "../event/EventReader.ts"
import { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "../firm/FirmOperations.ts"
import * as FirmReader from "../firm/FirmReader.ts"
import { GetLeadBundle, ListLeads } from "../lead/LeadOperations.ts"
import * as LeadReader from "../lead/LeadReader.ts"
import * as ListKeeper from "../list/ListKeeper.ts"
import { AddToList, CreateList, GetListItems, ListLists, RemoveFromList } from "../list/ListOperations.ts"
import { Workload } from "../load/Workload.ts"
import * as AccessChecker from "../lookup/AccessChecker.ts"
import { CheckAccess } from "../lookup/AccessOperations.ts"
import * as KnownCounties from "../lookup/KnownCounties.ts"
import { GetCoverage, Lookup } from "../lookup/LookupOperations.ts"
import * as LookupReader from "../lookup/LookupReader.ts"
import * as NoteKeeper from "../note/NoteKeeper.ts"
import { AddNote, GetNotes, ListNotes } from "../note/NoteOperations.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import * as PipelineDesk from "../pipeline/PipelineDesk.ts"
import {
  DisqualifyLead,
  GetLeadHistory,
  GetLossReasons,
  GetPipeline,
  GetTransitionCap,
  QualifyLead,
  UpdateLeadStatus,
  WriteBackStatus
} from "../pipeline/PipelineOperations.ts"
import {
  GetProperty,
  GetPropertyRecord,
  ResolveProperties,
  SearchProperties,
  UnlockProperty
} from "../property/PropertyOperations.ts"
import * as PropertyReader from "../property/PropertyReader.ts"
import * as PropertyResolver from "../property/PropertyResolver.ts"
import * as PropertySearcher from "../property/PropertySearcher.ts"
import * as PropertyUnlocker from "../property/PropertyUnlocker.ts"
import * as RequestDesk from "../request/RequestDesk.ts"
import { ListRequests, RequestCoverage, RequestSupport } from "../request/RequestOperations.ts"
import * as ResearchDesk from "../research/ResearchDesk.ts"
import {
  DeepResearchContact,
  DraftEmail,
  FindEmail,
  GetResearchStatus,
  ListResearchRuns,
  PriceResearch,
  ResearchContact,
  ResearchOrganization,
  ResearchProperties,
  ResearchProperty
} from "../research/ResearchOperations.ts"
import * as ResearchPricer from "../research/ResearchPricer.ts"
import * as RunReader from "../research/RunReader.ts"
import { DeleteSavedSearch, ListSavedSearches, RunSavedSearch, SaveSearch } from "../search/SavedSearchOperations.ts"
import * as SavedSearchRunner from "../search/SavedSearchRunner.ts"
import * as EndpointCare from "../webhook/EndpointCare.ts"
import {
  ChangeWebhook,
  DisableWebhook,
  EnableWebhook,
  GetWebhookDelivery,
  ResendFailedDeliveries,
  ResendWebhookDelivery,
  RotateWebhookSecret,
  TestWebhook
} from "../webhook/EndpointCareOperations.ts"
import { EndpointDesk } from "../webhook/EndpointDesk.ts"
import * as Subscriptions from "../webhook/Subscriptions.ts"
import * as WebhookLog from "../webhook/WebhookLog.ts"
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhookSample,
  ListWebhookDeliveries,
  ListWebhooks
} from "../webhook/WebhookOperations.ts"
import { RecordKinds } from "./RecordKinds.ts"
import { binder, type RunnerOf } from "./Runner.ts"

/** Every operation, in the order in which tools are listed. decisions, section 14. */
export const operations = [
  DescribeWorkspace,
  Lookup,
  SearchProperties,
  GetProperty,
  GetPropertyRecord,
  FindContacts,
  BrowseContacts,
  GetContact,
  GetContactRelationships,
  BrowseOrganizations,
  GetOrganization,
  GetOrganizationProperties,
  ResolveProperties,
  CheckAccess,
  GetChanges,
  UnlockProperty,
  RevealContact,
  PriceResearch,
  ResearchProperty,
  ResearchProperties,
  GetResearchStatus,
  ListResearchRuns,
  ResearchContact,
  ResearchOrganization,
  FindEmail,
  DeepResearchContact,
  DraftEmail,
  ListLeads,
  GetLeadBundle,
  GetPipeline,
  GetLeadHistory,
  QualifyLead,
  DisqualifyLead,
  UpdateLeadStatus,
  GetTransitionCap,
  GetLossReasons,
  WriteBackStatus,
  ListEvents,
  SyncCustomerAccounts,
  ListLists,
  GetListItems,
  CreateList,
  AddToList,
  RemoveFromList,
  ListNotes,
  GetNotes,
  AddNote,
  ListSavedSearches,
  RunSavedSearch,
  SaveSearch,
  DeleteSavedSearch,
  CreateWebhook,
  DeleteWebhook,
  ListWebhooks,
  ListWebhookDeliveries,
  GetWebhookSample,
  TestWebhook,
  GetWebhookDelivery,
  ResendWebhookDelivery,
  ResendFailedDeliveries,
  RotateWebhookSecret,
  EnableWebhook,
  DisableWebhook,
  ChangeWebhook,
  GetPriceSheet,
  GetCreditBalance,
  GetIdentity,
  GetAccount,
  GetAllowance,
  GetCreditLedger,
  GetCoverage,
  RequestSupport,
  RequestCoverage,
  ListRequests
] as const

export type CatalogueOperation = (typeof operations)[number]

/** A refusal of any operation. */
export type Refusal = RefusalOf<CatalogueOperation>

/** Admission and permission come before a runner, and are the host's to ask for. */
type Runners = { readonly [Op in CatalogueOperation as Op["name"]]: RunnerOf<Op> }

/** Every operation with what runs it. */
export class Catalogue extends Context.Service<Catalogue, Runners>()("@freehold/core/catalogue/Catalogue") {
  static readonly layer = Layer.effect(
    Catalogue,
    Effect.gen(function*() {
      const bind = binder(yield* Workload)
      const access = yield* AccessChecker.make
      const counties = yield* KnownCounties.make
      const account = yield* AccountReader.make(operations, counties)
      const allowance = yield* AllowanceReader.make
      const change = yield* ChangeReader.make
      const contact = yield* ContactReader.make
      const credits = yield* LedgerReader.make
      const people = yield* ContactSearcher.make
      const firm = yield* FirmReader.make
      const customers = yield* CustomerSync.make
      const events = yield* EventReader.make
      const lead = yield* LeadReader.make
      const pipeline = yield* PipelineDesk.make
      const lists = yield* ListKeeper.make
      const notes = yield* NoteKeeper.make
      const property = yield* PropertyReader.make
      const resolver = yield* PropertyResolver.make
      const searcher = yield* PropertySearcher.make
      const savedSearches = yield* SavedSearchRunner.make(searcher.find)
      const requests = yield* RequestDesk.make
      const lookups = yield* LookupReader.make(counties)
      const unlocker = yield* PropertyUnlocker.make
      const research = yield* ResearchDesk.make
      const researchPrices = yield* ResearchPricer.make
      const researchRuns = yield* RunReader.make
      const subscriptions = yield* Subscriptions.make
      const webhooks = yield* WebhookLog.make
      const care = yield* EndpointCare.make
      return Catalogue.of({
        [DescribeWorkspace.name]: bind(DescribeWorkspace, account.workspace),
        [SearchProperties.name]: bind(SearchProperties, searcher.find),
        [GetProperty.name]: bind(GetProperty, property.readDetail),
        [GetPropertyRecord.name]: bind(GetPropertyRecord, property.readRecord),
        [FindContacts.name]: bind(FindContacts, people.find),
        [BrowseContacts.name]: bind(BrowseContacts, people.browse),
        [GetContact.name]: bind(GetContact, contact.read),
        [GetContactRelationships.name]: bind(GetContactRelationships, contact.properties),
        [BrowseOrganizations.name]: bind(BrowseOrganizations, firm.browse),
        [GetOrganization.name]: bind(GetOrganization, firm.read),
        [GetOrganizationProperties.name]: bind(GetOrganizationProperties, firm.properties),
        [ResolveProperties.name]: bind(ResolveProperties, resolver.resolve),
        [CheckAccess.name]: bind(CheckAccess, access.check),
        [GetChanges.name]: bind(GetChanges, change.list),
        [UnlockProperty.name]: bind(UnlockProperty, unlocker.unlock),
        [RevealContact.name]: bind(RevealContact, contact.reveal),
        [PriceResearch.name]: bind(PriceResearch, researchPrices.price),
        [ResearchProperty.name]: bind(ResearchProperty, research.property),
        [ResearchProperties.name]: bind(ResearchProperties, research.properties),
        [GetResearchStatus.name]: bind(GetResearchStatus, researchRuns.status),
        [ListResearchRuns.name]: bind(ListResearchRuns, researchRuns.list),
        [ResearchContact.name]: bind(ResearchContact, research.contact),
        [ResearchOrganization.name]: bind(ResearchOrganization, research.organization),
        [FindEmail.name]: bind(FindEmail, research.findEmail),
        [DeepResearchContact.name]: bind(DeepResearchContact, research.deepResearch),
        [DraftEmail.name]: bind(DraftEmail, research.draft),
        [ListLeads.name]: bind(ListLeads, lead.list),
        [GetLeadBundle.name]: bind(GetLeadBundle, lead.bundle),
        [GetPipeline.name]: bind(GetPipeline, pipeline.list),
        [GetLeadHistory.name]: bind(GetLeadHistory, pipeline.history),
        [QualifyLead.name]: bind(QualifyLead, pipeline.qualify),
        [DisqualifyLead.name]: bind(DisqualifyLead, pipeline.disqualify),
        [UpdateLeadStatus.name]: bind(UpdateLeadStatus, pipeline.update),
        [GetTransitionCap.name]: bind(GetTransitionCap, pipeline.transitionCap),
        [GetLossReasons.name]: bind(GetLossReasons, pipeline.lossReasons),
        [WriteBackStatus.name]: bind(WriteBackStatus, pipeline.writeBack),
        [ListEvents.name]: bind(ListEvents, events.list),
        [SyncCustomerAccounts.name]: bind(SyncCustomerAccounts, customers.sync),
        [ListLists.name]: bind(ListLists, lists.list),
        [GetListItems.name]: bind(GetListItems, lists.items),
        [CreateList.name]: bind(CreateList, lists.create),
        [AddToList.name]: bind(AddToList, lists.add),
        [RemoveFromList.name]: bind(RemoveFromList, lists.remove),
        [ListNotes.name]: bind(ListNotes, notes.list),
        [GetNotes.name]: bind(GetNotes, notes.get),
        [AddNote.name]: bind(AddNote, notes.add),
        [ListSavedSearches.name]: bind(ListSavedSearches, savedSearches.list),
        [RunSavedSearch.name]: bind(RunSavedSearch, savedSearches.run),
        [SaveSearch.name]: bind(SaveSearch, savedSearches.save),
        [DeleteSavedSearch.name]: bind(DeleteSavedSearch, savedSearches.remove),
        [CreateWebhook.name]: bind(CreateWebhook, subscriptions.create),
        [DeleteWebhook.name]: bind(DeleteWebhook, subscriptions.remove),
        [ListWebhooks.name]: bind(ListWebhooks, webhooks.list),
        [ListWebhookDeliveries.name]: bind(ListWebhookDeliveries, webhooks.deliveries),
        [GetWebhookSample.name]: bind(GetWebhookSample, webhooks.sample),
        [TestWebhook.name]: bind(TestWebhook, care.test),
        [GetWebhookDelivery.name]: bind(GetWebhookDelivery, care.delivery),
        [ResendWebhookDelivery.name]: bind(ResendWebhookDelivery, care.resend),
        [ResendFailedDeliveries.name]: bind(ResendFailedDeliveries, care.resendFailed),
        [RotateWebhookSecret.name]: bind(RotateWebhookSecret, care.rotate),
        [EnableWebhook.name]: bind(EnableWebhook, care.enable),
        [DisableWebhook.name]: bind(DisableWebhook, care.disable),
        [ChangeWebhook.name]: bind(ChangeWebhook, care.update),
        [GetPriceSheet.name]: bind(GetPriceSheet, account.priceSheet),
        [GetCreditBalance.name]: bind(GetCreditBalance, account.balance),
        [GetIdentity.name]: bind(GetIdentity, account.identity),
        [GetAccount.name]: bind(GetAccount, account.account),
        [GetAllowance.name]: bind(GetAllowance, allowance.read),
        [GetCreditLedger.name]: bind(GetCreditLedger, credits.entries),
        [Lookup.name]: bind(Lookup, lookups.lookup),
        [GetCoverage.name]: bind(GetCoverage, lookups.coverage),
        [RequestSupport.name]: bind(RequestSupport, requests.support),
        [RequestCoverage.name]: bind(RequestCoverage, requests.coverage),
        [ListRequests.name]: bind(ListRequests, requests.list)
      })
    })
  ).pipe(Layer.merge(RecordKinds.layer), Layer.provideMerge(Workload.layer), Layer.provide(EndpointDesk.layer))
}
