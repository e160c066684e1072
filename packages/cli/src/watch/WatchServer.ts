/**
 * A port for those who watch: `/metrics` in the text form of Prometheus, `/healthz` and `/readyz`. It is the operator's, and
 * nothing of `/metrics` is on the port that customers reach.
 *
 * *Gotchas.* It is there before anything else is answered and until the last request has ended, so that draining can be seen.
 */
import * as Health from "@freehold/http-host/Health"
import * as NodeServer from "@freehold/http-host/NodeServer"
import { Effect, Layer, Option } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { bind, portOf } from "../Listening.ts"
import { ownOrigin } from "../Origin.ts"
import { Settings } from "../Settings.ts"
import { Gauges } from "./Gauges.ts"
import * as ProcessGauges from "./ProcessGauges.ts"
import { Readiness } from "./Readiness.ts"

/** Few watch, and each asks a few times a minute. */
const bounds = { connections: 64, connectionsPerAddress: 64 }

/** What is answered there. */
const answersOf = Effect.fnUntraced(function*(
  refresh: Effect.Effect<void>,
  hindrance: Effect.Effect<Health.Hindrance | null>
) {
  const metrics = Effect.map(
    Effect.andThen(refresh, PrometheusMetrics.format()),
    (text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
  // A router of its own: the one in context is that of the customers' port.
  const router = yield* HttpRouter.make
  yield* router.add("GET", "/metrics", metrics)
  yield* router.add("GET", "/healthz", Effect.succeed(Health.alive))
  yield* router.add("GET", "/readyz", Effect.map(hindrance, Health.readiness))
  return router.asHttpEffect()
})

/** These are asked for so often that nobody wants a trace of each. */
export const untraced = HttpMiddleware.layerTracerDisabledForUrls(["/metrics", "/healthz", "/readyz"])

/** Nothing where no address for it is set; the log tells where it listens. */
const listening = <E, R>(answers: Effect.Effect<Effect.Success<ReturnType<typeof answersOf>>, E, R>) =>
  Layer.unwrap(Effect.map(Settings, ({ watchAddress }) =>
    Option.match(watchAddress, {
      onNone: () => Layer.empty,
      onSome: ({ host, port }) =>
        Layer.effectDiscard(Effect.gen(function*() {
          const { address, serve } = yield* HttpServer.HttpServer
          yield* serve(yield* answers)
          yield* Effect.annotateLogs(Effect.logInfo("watch port started"), {
            listening: ownOrigin({ host, port: portOf(address, port) })
          })
        })).pipe(
          Layer.provide(untraced),
          // The customers' port has another server.
          Layer.provide(Layer.fresh(bind(NodeServer.create(bounds), host, port, "FREEHOLD_WATCH_ADDRESS")))
        )
    })))

const ofInstallation = Effect.gen(function*() {
  const { refresh } = yield* Gauges
  const { hindrance } = yield* Readiness
  return yield* answersOf(refresh, hindrance)
})

const ofProcess = Effect.gen(function*() {
  const { refresh } = yield* ProcessGauges.make
  return yield* answersOf(refresh, Effect.succeed(null))
})

/** The port of a process that has no database: it is ready as soon as it lives. */
export const layerOfProcess = listening(ofProcess)

/** The port, and whether the process is ready; needs a database of its own, so that nobody waits for those who watch. */
export const layer = listening(ofInstallation).pipe(Layer.provide(Gauges.layer), Layer.provideMerge(Readiness.layer))
