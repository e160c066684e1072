/**
 * What the app alone offers, beside those operations of `Catalogue` that it offers too: what only a person at a screen
 * asks for. Neither REST nor assistants have a line for them.
 */
import { Context, Effect, Layer } from "effect"
import { AppSignIn } from "../access/AppSignIn.ts"
import { ListColleagues } from "../access/ColleagueOperations.ts"
import * as Colleagues from "../access/Colleagues.ts"
import * as AppSessionDesk from "../account/AppSessionDesk.ts"
import { GetSession, ListOrganizations, ListSessions, RevokeSession } from "../account/AppSessionOperations.ts"
import * as AppSessionReader from "../account/AppSessionReader.ts"
import { GetUsage } from "../account/UsageOperations.ts"
import * as UsageReader from "../account/UsageReader.ts"
import * as KeyDesk from "../administration/KeyDesk.ts"
import { ChangeKey, CreateKey, ListKeys, RevokeKey } from "../administration/KeyOperations.ts"
import { ListAdministration, ListNotices } from "../administration/LogOperations.ts"
import * as LogReader from "../administration/LogReader.ts"
import * as MemberDesk from "../administration/MemberDesk.ts"
import {
  AddMember,
  ChangeMember,
  IssueSignInLink,
  ListMembers,
  ListMemberSessions,
  RemoveMember,
  RevokeMemberSessions,
  SetMemberConnections
} from "../administration/MemberOperations.ts"
import * as SettingsDesk from "../administration/SettingsDesk.ts"
import { ChangeSettings, GetSettings } from "../administration/SettingsOperations.ts"
import { GetCredits, ListLedger } from "../credit/CreditOperations.ts"
import * as LedgerReader from "../credit/LedgerReader.ts"
import * as ListCare from "../list/ListCare.ts"
import { ChangeList, DeleteList, GetList } from "../list/ListCareOperations.ts"
import { Workload } from "../load/Workload.ts"
import * as CountyLister from "../lookup/CountyLister.ts"
import { ListCounties } from "../lookup/CountyOperations.ts"
import { NameRecords } from "../lookup/NameOperations.ts"
import * as RecordNamer from "../lookup/RecordNamer.ts"
import { GetMapPoints } from "../map/MapOperations.ts"
import * as MapReader from "../map/MapReader.ts"
import * as NoteDesk from "../note/NoteDesk.ts"
import { DeleteNote, EditNote, ListNotesInApp } from "../note/NoteOperations.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import { AssignLead, GetBoard, GetLead, MoveLead, UndoMove } from "../pipeline/BoardOperations.ts"
import * as LeadBoard from "../pipeline/LeadBoard.ts"
import * as PropertyReader from "../property/PropertyReader.ts"
import { RenameSearch } from "../search/SavedSearchOperations.ts"
import * as SearchRenamer from "../search/SearchRenamer.ts"
import * as TaskDesk from "../task/TaskDesk.ts"
import { AddTask, EditTask, EndTask, ListTasks } from "../task/TaskOperations.ts"
import * as PropertyViewer from "../viewing/PropertyViewer.ts"
import { OpenProperty } from "../viewing/ViewingOperations.ts"
import type { CatalogueOperation } from "./Catalogue.ts"
import { binder, type RunnerOf } from "./Runner.ts"

export const appOperations = [
  GetSession,
  ListSessions,
  RevokeSession,
  ListOrganizations,
  OpenProperty,
  GetMapPoints,
  ListColleagues,
  GetBoard,
  GetLead,
  MoveLead,
  UndoMove,
  AssignLead,
  ListTasks,
  AddTask,
  EditTask,
  EndTask,
  GetList,
  ChangeList,
  DeleteList,
  RenameSearch,
  ListNotesInApp,
  EditNote,
  DeleteNote,
  NameRecords,
  ListCounties,
  GetUsage,
  ListKeys,
  CreateKey,
  ChangeKey,
  RevokeKey,
  ListMembers,
  AddMember,
  ChangeMember,
  RemoveMember,
  IssueSignInLink,
  ListMemberSessions,
  RevokeMemberSessions,
  SetMemberConnections,
  GetCredits,
  ListLedger,
  GetSettings,
  ChangeSettings,
  ListAdministration,
  ListNotices
] as const

export type AppOperation = (typeof appOperations)[number]

/** Whatever a screen may ask for, if its member may. */
export type OfferedOperation = CatalogueOperation | AppOperation

/** A refusal of any of them. */
export type OfferedRefusal = RefusalOf<OfferedOperation>

type Runners = { readonly [Op in AppOperation as Op["name"]]: RunnerOf<Op> }

export class AppCatalogue extends Context.Service<AppCatalogue, Runners>()("@freehold/core/catalogue/AppCatalogue") {
  static readonly layer = Layer.effect(
    AppCatalogue,
    Effect.gen(function*() {
      const bind = binder(yield* Workload)
      const session = yield* AppSessionReader.make
      const sessions = yield* AppSessionDesk.make
      const property = yield* PropertyReader.make
      const viewer = yield* PropertyViewer.make(property.readPage)
      const map = yield* MapReader.make
      const colleagues = yield* Colleagues.make
      const board = yield* LeadBoard.make
      const tasks = yield* TaskDesk.make
      const lists = yield* ListCare.make
      const searches = yield* SearchRenamer.make
      const notes = yield* NoteDesk.make
      const namer = yield* RecordNamer.make
      const counties = yield* CountyLister.make
      const usage = yield* UsageReader.make
      const keys = yield* KeyDesk.make
      const members = yield* MemberDesk.make
      const credits = yield* LedgerReader.make
      const settings = yield* SettingsDesk.make
      const log = yield* LogReader.make
      return AppCatalogue.of({
        [GetSession.name]: bind(GetSession, session.read),
        [ListSessions.name]: bind(ListSessions, sessions.list),
        [RevokeSession.name]: bind(RevokeSession, sessions.revoke),
        [ListOrganizations.name]: bind(ListOrganizations, sessions.listOrganizations),
        [OpenProperty.name]: bind(OpenProperty, viewer.open),
        [GetMapPoints.name]: bind(GetMapPoints, map.read),
        [ListColleagues.name]: bind(ListColleagues, colleagues.list),
        [GetBoard.name]: bind(GetBoard, board.read),
        [GetLead.name]: bind(GetLead, board.show),
        [MoveLead.name]: bind(MoveLead, board.move),
        [UndoMove.name]: bind(UndoMove, board.undo),
        [AssignLead.name]: bind(AssignLead, board.assign),
        [ListTasks.name]: bind(ListTasks, tasks.list),
        [AddTask.name]: bind(AddTask, tasks.add),
        [EditTask.name]: bind(EditTask, tasks.edit),
        [EndTask.name]: bind(EndTask, tasks.end),
        [GetList.name]: bind(GetList, lists.read),
        [ChangeList.name]: bind(ChangeList, lists.update),
        [DeleteList.name]: bind(DeleteList, lists.remove),
        [RenameSearch.name]: bind(RenameSearch, searches.rename),
        [ListNotesInApp.name]: bind(ListNotesInApp, notes.list),
        [EditNote.name]: bind(EditNote, notes.edit),
        [DeleteNote.name]: bind(DeleteNote, notes.remove),
        [NameRecords.name]: bind(NameRecords, namer.name),
        [ListCounties.name]: bind(ListCounties, counties.list),
        [GetUsage.name]: bind(GetUsage, usage.read),
        [ListKeys.name]: bind(ListKeys, keys.list),
        [CreateKey.name]: bind(CreateKey, keys.create),
        [ChangeKey.name]: bind(ChangeKey, keys.update),
        [RevokeKey.name]: bind(RevokeKey, keys.revoke),
        [ListMembers.name]: bind(ListMembers, members.list),
        [AddMember.name]: bind(AddMember, members.add),
        [ChangeMember.name]: bind(ChangeMember, members.update),
        [RemoveMember.name]: bind(RemoveMember, members.remove),
        [IssueSignInLink.name]: bind(IssueSignInLink, members.issueLink),
        [ListMemberSessions.name]: bind(ListMemberSessions, members.listSessions),
        [RevokeMemberSessions.name]: bind(RevokeMemberSessions, members.revokeSessions),
        [SetMemberConnections.name]: bind(SetMemberConnections, members.setConnections),
        [GetCredits.name]: bind(GetCredits, credits.credits),
        [ListLedger.name]: bind(ListLedger, credits.latest),
        [GetSettings.name]: bind(GetSettings, settings.read),
        [ChangeSettings.name]: bind(ChangeSettings, settings.update),
        [ListAdministration.name]: bind(ListAdministration, log.list),
        [ListNotices.name]: bind(ListNotices, log.noticed)
      })
    })
  ).pipe(Layer.provide([Workload.layer, AppSignIn.layer]))
}
