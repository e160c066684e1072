/**
 * The HTTP server: REST at `/v1` and MCP at `/v1/mcp` on one port.
 *
 * When it stops it takes no more connections, finishes what is in flight within `drain`, and then closes what is left.
 *
 * *Gotchas.* The port is known only once it is bound (`PORT=0`), and what answers needs to know it. Requests that come in
 * between are held until there is somebody to answer.
 */
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { AppCatalogue } from "@freehold/core/catalogue/AppCatalogue"
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import * as AdmittedRoute from "@freehold/http-host/AdmittedRoute"
import { TrustedProxies } from "@freehold/http-host/ClientAddress"
import { AllowedOrigins } from "@freehold/http-host/Cors"
import * as CutLog from "@freehold/http-host/CutLog"
import * as Health from "@freehold/http-host/Health"
import * as NodeServer from "@freehold/http-host/NodeServer"
import * as ReferencePage from "@freehold/http-host/openapi/ReferencePage"
import * as PublicDocument from "@freehold/http-host/PublicDocument"
import * as RequestLog from "@freehold/http-host/RequestLog"
import * as RestHost from "@freehold/http-host/RestHost"
import { patterns as restPatterns } from "@freehold/http-host/Routes"
import { defaults, shareOf } from "@freehold/http-host/ServerBounds"
import * as SpanNames from "@freehold/http-host/SpanNames"
import * as Turns from "@freehold/http-host/Turns"
import { Answers } from "@freehold/mcp-host/Answers"
import * as EntranceAdvice from "@freehold/mcp-host/EntranceAdvice"
import { McpEndpoint } from "@freehold/mcp-host/McpEndpoint"
import * as ProtectedResource from "@freehold/mcp-host/ProtectedResource"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { ProcessTurn } from "@freehold/webhook-worker/ProcessTurn"
import { Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { housekeeping, researchAnswers } from "./composition/Housekeeping.ts"
import { answering } from "./composition/Serving.ts"
import { bind, portOf } from "./Listening.ts"
import { operatorOrigin, ownOrigin, publicOrigin } from "./Origin.ts"
import { ProcessCount } from "./ProcessCount.ts"
import * as ResearchCallback from "./ResearchCallback.ts"
import { Settings } from "./Settings.ts"
import { toolNames } from "./ToolNames.ts"
import { version } from "./Version.ts"
import { Readiness } from "./watch/Readiness.ts"
import * as StartLine from "./watch/StartLine.ts"
import { watching } from "./watch/Watching.ts"
import * as WatchServer from "./watch/WatchServer.ts"

/** Keeps requests back; `release` hands them to whoever listens by then. */
const holdRequests = (server: Server) => {
  const held: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse) => void held.push([request, response])
  server.on("request", hold)
  return {
    release: () => {
      server.off("request", hold)
      for (const [request, response] of held) server.emit("request", request, response)
    }
  }
}

/** The paths that spans are named by. */
const patterns = [...restPatterns, "/v1/mcp", ResearchCallback.path, ...ProtectedResource.metadataPaths] as const

const mcp = (
  publicUrl: string,
  allowedOrigins: ReadonlyArray<string>,
  resource: Option.Option<ProtectedResource.ProtectedResource>
) =>
  Layer.unwrap(Effect.map(McpEndpoint, ({ handle, originHeaders, preflight }) =>
    AdmittedRoute.layer({
      path: "/v1/mcp",
      access: { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" },
      handle,
      preflight,
      answerHeaders: originHeaders,
      challenge: (lack) => Option.getOrUndefined(Option.map(resource, ({ challenge }) => challenge(lack))),
      advise: EntranceAdvice.of
    }))).pipe(
      Layer.provide(McpEndpoint.layer({ publicUrl, allowedOrigins, serverInfo: { name: "freehold", version } })),
      Layer.provide(Answers.layer),
      Layer.provide(Toolbox.layer)
    )

/** The app that people sign in to, and the operator's area of it. Loaded where they are on. */
const app = (origin: string, operatorOrigin: string | null) =>
  Layer.unwrap(Effect.gen(function*() {
    const { pages } = yield* Effect.promise(() => import("./ConsoleFiles.ts"))
    const host = yield* Effect.promise(() => import("@freehold/http-host/console/ConsoleHost"))
    const members = host.layer({ origin, operatorOrigin, pages: yield* pages({ operator: operatorOrigin !== null }) })
    if (operatorOrigin === null) return members
    const area = yield* Effect.promise(() => import("@freehold/http-host/console/OperatorHost"))
    const { operatorArea } = yield* Effect.promise(() => import("./composition/OperatorArea.ts"))
    return Layer.merge(
      members,
      area.layer({ origin: operatorOrigin, publicOrigin: origin }).pipe(Layer.provide(operatorArea(origin)))
    )
  }))

/** What answers calls: of organizations, and of people in the app and its operator's area. */
const services = (publicUrl: string) =>
  answering(publicUrl, Layer.mergeAll(AppCatalogue.layer, AppSignIn.layer, OperatorSignIn.layer))

/** Loaded where this process has them. What they send waits for its turn among the requests that are answered here. */
const workers = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Effect.promise(() => import("./composition/Working.ts")), ({ workers }) =>
      Layer.provide(workers(publicUrl), Layer.succeed(ProcessTurn, Turns.next)))
  )

/** Where people sign in, for assistants that look for it. */
const signInMetadata = (resource: Option.Option<ProtectedResource.ProtectedResource>) =>
  Option.match(resource, {
    onNone: () => Layer.empty,
    onSome: ({ document }) =>
      PublicDocument.layer({ paths: ProtectedResource.metadataPaths, json: document, maxAge: 3600 })
  })

/** Serves until the layer's scope closes. `onListening` runs once requests are answered. */
export const layer = <E, R>(options: {
  /** Deliveries are sent from this process too. */
  readonly worker: boolean
  /** 0: any free port. None: the setting's. */
  readonly port: Option.Option<number>
  /** `origin`: where the server listens. */
  readonly onListening: (origin: string) => Effect.Effect<void, E, R>
}) =>
  Layer.unwrap(Effect.gen(function*() {
    const settings = yield* Settings
    const port = Option.getOrElse(options.port, () => settings.port)
    const server = NodeServer.create(
      shareOf({ ...defaults, trustedProxies: settings.trustedProxies }, yield* ProcessCount),
      yield* CutLog.make
    )
    const { release } = holdRequests(server)

    const serving = Layer.unwrap(Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      const bound = { ...settings, port: portOf(address, port) }
      const publicUrl = publicOrigin(bound)
      const allowedOrigins = Option.getOrElse(settings.allowedOrigins, () => [publicUrl])
      const resource = Option.map(settings.oauthIssuer, (issuer) => ProtectedResource.make({ issuer, publicUrl }))
      const routes = Layer.mergeAll(
        RestHost.layer,
        ReferencePage.layer({ origin: publicUrl, tools: toolNames }),
        mcp(publicUrl, allowedOrigins, resource),
        signInMetadata(resource),
        settings.console ? app(publicUrl, operatorOrigin(settings, publicUrl)) : Layer.empty,
        researchAnswers
      )
      const answers = RestHost.serve(routes).pipe(
        Layer.provide(services(publicUrl)),
        Layer.provide(Layer.succeed(TrustedProxies, settings.trustedProxies)),
        Layer.provide(Layer.succeed(AllowedOrigins, settings.corsOrigins)),
        Layer.provide(WatchServer.untraced),
        Layer.provide(Option.isSome(settings.telemetryUrl) ? SpanNames.layer(patterns) : Layer.empty),
        Layer.provide(Layer.succeed(RequestLog.AccessLog, settings.accessLog)),
        Layer.provide(Layer.effect(Health.Readiness, Readiness.useSync(({ hindrance }) => hindrance)))
      )
      // Built last, so that a process that is being stopped says so before anything of it ends.
      const announced = Layer.effectDiscard(Effect.gen(function*() {
        const { drain } = yield* Readiness
        yield* Effect.addFinalizer(() => drain)
        yield* Effect.sync(release)
        const listening = ownOrigin(bound)
        yield* StartLine.tell("server", { listening, worker: options.worker })
        yield* options.onListening(listening)
      }))
      const all = announced.pipe(Layer.provide(answers))
      const kept = Layer.merge(all, housekeeping)
      return options.worker ? Layer.merge(kept, workers(publicUrl)) : kept
    }))

    const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
    return serving.pipe(
      Layer.provide(cut),
      Layer.provide(bind(server, settings.host, port, "--port or PORT")),
      Layer.provide(watching)
    )
  }))
