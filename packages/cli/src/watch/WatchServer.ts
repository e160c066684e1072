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
import { Readiness } from "./Readiness.ts"

/** Few watch, and each asks a few times a minute. */
const bounds = { connections: 64, connectionsPerAddress: 64 }

const answers = Effect.gen(function*() {
  const { refresh } = yield* Gauges
  const { hindrance } = yield* Readiness
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
const listening = Layer.unwrap(Effect.map(Settings, ({ watchAddress }) =>
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

/** The port, and whether the process is ready; needs a database of its own, so that nobody waits for those who watch. */
export const layer = listening.pipe(Layer.provide(Gauges.layer), Layer.provideMerge(Readiness.layer))
