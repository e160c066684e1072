/**
 * What the app alone offers, beside those operations of `Catalogue` that it offers too: what only a person at a screen
 * asks for. Neither REST nor assistants have a line for them.
 */
import { Context, Effect, Layer } from "effect"
import * as AppSessionDesk from "../account/AppSessionDesk.ts"
import { GetSession, ListOrganizations, ListSessions, RevokeSession } from "../account/AppSessionOperations.ts"
import * as AppSessionReader from "../account/AppSessionReader.ts"
import { Workload } from "../load/Workload.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import * as PropertyReader from "../property/PropertyReader.ts"
import * as PropertyViewer from "../viewing/PropertyViewer.ts"
import { OpenProperty } from "../viewing/ViewingOperations.ts"
import type { CatalogueOperation } from "./Catalogue.ts"
import { binder, type RunnerOf } from "./Runner.ts"

export const appOperations = [GetSession, ListSessions, RevokeSession, ListOrganizations, OpenProperty] as const

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
      const viewer = yield* PropertyViewer.make(property.readDetail)
      return AppCatalogue.of({
        [GetSession.name]: bind(GetSession, session.read),
        [ListSessions.name]: bind(ListSessions, sessions.list),
        [RevokeSession.name]: bind(RevokeSession, sessions.revoke),
        [ListOrganizations.name]: bind(ListOrganizations, sessions.listOrganizations),
        [OpenProperty.name]: bind(OpenProperty, viewer.open)
      })
    })
  ).pipe(Layer.provide(Workload.layer))
}
