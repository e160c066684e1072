/**
 * What the app alone offers, beside those operations of `Catalogue` that it offers too: what only a person at a screen
 * asks for. Neither REST nor assistants have a line for them.
 */
import { Context, Effect, Layer } from "effect"
import { ListColleagues } from "../access/ColleagueOperations.ts"
import * as Colleagues from "../access/Colleagues.ts"
import { GetSession } from "../account/AppSessionOperations.ts"
import * as AppSessionReader from "../account/AppSessionReader.ts"
import { Workload } from "../load/Workload.ts"
import { GetMapPoints } from "../map/MapOperations.ts"
import * as MapReader from "../map/MapReader.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import { AssignLead, GetBoard, GetLead, MoveLead, UndoMove } from "../pipeline/BoardOperations.ts"
import * as LeadBoard from "../pipeline/LeadBoard.ts"
import * as PropertyReader from "../property/PropertyReader.ts"
import * as TaskDesk from "../task/TaskDesk.ts"
import { AddTask, EditTask, EndTask, ListTasks } from "../task/TaskOperations.ts"
import * as PropertyViewer from "../viewing/PropertyViewer.ts"
import { OpenProperty } from "../viewing/ViewingOperations.ts"
import type { CatalogueOperation } from "./Catalogue.ts"
import { binder, type RunnerOf } from "./Runner.ts"

export const appOperations = [
  GetSession,
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
  EndTask
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
      const property = yield* PropertyReader.make
      const viewer = yield* PropertyViewer.make(property.readPage)
      const map = yield* MapReader.make
      const colleagues = yield* Colleagues.make
      const board = yield* LeadBoard.make
      const tasks = yield* TaskDesk.make
      return AppCatalogue.of({
        [GetSession.name]: bind(GetSession, session.read),
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
        [EndTask.name]: bind(EndTask, tasks.end)
      })
    })
  ).pipe(Layer.provide(Workload.layer))
}
