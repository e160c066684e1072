/**
 * What balancers and supervisors ask without a key.
 *
 * | request      | 200                                 | 503                                                       |
 * | ------------ | ----------------------------------- | --------------------------------------------------------- |
 * | GET /healthz | the process lives                   |                                                           |
 * | GET /readyz  | it can answer, and means to go on   | the database is away or read-only, the schema does not fit, it stops |
 *
 * Neither counts towards anybody's requests, so what they look at is looked at once a second at most, however often they
 * are asked.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { noteRoute } from "./AdmittedRoute.ts"
import * as Envelope from "./Envelope.ts"
import * as RequestFrame from "./RequestFrame.ts"

/** Why a process should be sent nothing now. */
export type Hindrance = "database" | "schema" | "draining"

const sentences: Readonly<Record<Hindrance, string>> = {
  database: "The database does not answer, or cannot be written to.",
  schema: "The schema of the database is not one that this version works with.",
  draining: "The server is being stopped."
}

/** What stands in the way of answering; null: nothing. Without a host that knows better: nothing. */
export const Readiness = Context.Reference<Effect.Effect<Hindrance | null>>("@freehold/http-host/Health/Readiness", {
  defaultValue: () => Effect.succeed(null)
})

/** What both listeners of a process answer. */
export const alive = Envelope.success({ data: { status: "ok" } })

export const readiness = (hindrance: Hindrance | null) =>
  hindrance === null
    ? Envelope.success({ data: { status: "ready" } })
    : Envelope.notReady(hindrance, sentences[hindrance])

export const layer = HttpRouter.addAll(
  Effect.map(Readiness, (ready) => [
    HttpRouter.route("GET", "/healthz", Effect.as(noteRoute, alive)),
    HttpRouter.route("GET", "/readyz", Effect.andThen(noteRoute, Effect.map(ready, readiness)))
  ])
).pipe(Layer.provide(RequestFrame.layer))
