/** The lane of requests that have arrived whole, beside the way of Effect's server: the same answers, and who goes by which. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { GetIdentity } from "@freehold/core/account/AccountOperations"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, References, Scope, Tracer } from "effect"
import type { HttpServer, HttpServerError } from "effect/http"
import type { IncomingMessage } from "node:http"
import { connect } from "node:net"
import * as AdmittedRoute from "../src/AdmittedRoute.ts"
import * as NodeServer from "../src/NodeServer.ts"
import * as RestHost from "../src/RestHost.ts"
import { patterns } from "../src/Routes.ts"
import * as SpanNames from "../src/SpanNames.ts"
import { bearer, hanging, ids, layerWith, type Sent, TestHost, withLane, withoutLane } from "./TestHost.ts"

const json = { "content-type": "application/json" }

/** Answers in characters of more than a byte; a GET with a header that cannot be written. */
const foreign = AdmittedRoute.layer({
  path: "/v1/mcp",
  access: { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" },
  handle: ({ method }) =>
    Effect.succeed(
      method === "GET"
        ? { status: 200, headers: { "x-made-up": "two\nlines" }, body: "{}" }
        : { status: 202, headers: json, body: JSON.stringify({ said: "Ährenweg 5, 東京" }) }
    )
})

const app = Layer.merge(RestHost.layer, foreign)

/** Whoever asks is in a trace of its own already. */
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

type Ask = readonly [what: string, method: string, path: string, sent?: Sent]

const asked: ReadonlyArray<Ask> = [
  ["an answer", "GET", "/v1/me", { headers: bearer("rich") }],
  ["an answer without its body", "HEAD", "/v1/me", { headers: bearer("rich") }],
  ["the methods of a path", "OPTIONS", "/v1/me"],
  ["a method that the path has not", "DELETE", "/v1/me", { headers: bearer("rich") }],
  ["nobody's request", "GET", "/v1/me"],
  ["a query", "GET", "/v1/lists?limit=1", { headers: bearer("rich") }],
  ["a parameter that there is not", "GET", "/v1/lists?limits=1", { headers: bearer("rich") }],
  ["a part of the path", "GET", `/v1/properties/${ids.locked}`, { headers: bearer("rich") }],
  ["a part of the path that is none", "GET", "/v1/properties/%zz", { headers: bearer("rich") }],
  ["a body", "POST", "/v1/properties/search", { headers: bearer("rich"), json: { limit: 1 } }],
  ["a body that is no JSON", "POST", "/v1/properties/search", { headers: { ...bearer("rich"), ...json }, body: "{" }],
  ["a charge", "POST", `/v1/properties/${ids.spare}/unlock`, { headers: bearer("rich") }],
  ["a refusal", "POST", `/v1/properties/${ids.outside}/unlock`, { headers: bearer("rich") }],
  ["a limit", "GET", "/v1/me", { headers: bearer("closed") }],
  ["a path that there is not", "GET", "/v1/nowhere", { headers: bearer("rich") }],
  ["letters of more than a byte", "POST", "/v1/mcp", { headers: bearer("rich"), json: {} }]
]

/** What comes to light when the answer is written, which is after the span. */
const unwritable: Ask = ["a header that cannot be written", "GET", "/v1/mcp", { headers: bearer("rich") }]

/** What differs between any two answers. */
const own: ReadonlySet<string> = new Set([
  "date",
  "service-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset"
])

const answersTo = (asked: ReadonlyArray<Ask>) =>
  TestHost.use(({ call }) =>
    Effect.forEach(
      asked,
      ([what, method, path, sent]) =>
        Effect.map(call(method, path, sent), ({ headers, status, text }) => ({
          what,
          status,
          headers: Object.fromEntries([...headers].filter(([name]) => !own.has(name)).toSorted()),
          text: text.replaceAll(/[0-9a-f-]{36}/g, (id) => id.startsWith("00000000-") ? id : "an id")
        }))
    )
  )

const answers = answersTo([...asked, unwritable])

/** The requests that a host left to Effect's server while it was used. */
const leftBy = <A, E>(
  use: Effect.Effect<A, E, TestHost>,
  more: Layer.Layer<never> = Layer.empty
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.suspend(() => {
    const left: Array<string> = []
    const note = ({ method, url }: IncomingMessage): void => void left.push(`${method} ${url}`)
    const host = layerWith(app, withLane(note)).pipe(Layer.provide(more), Layer.orDie)
    return Effect.as(Effect.provide(use, host), left)
  })

/** Somebody receives spans: they are kept in the order of their beginnings. */
const collecting = (spans: Array<Tracer.Span>): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
    ),
    Layer.succeed(References.TracerEnabled, true),
    SpanNames.layer([...patterns, "/v1/mcp"])
  )

/** Of the address of a request, which has another port with each server. */
const ofPort: ReadonlySet<string> = new Set(["url.full", "server.port"])

/** The spans of all that is asked, as one of the ways to an answer makes them. */
const spansOf = (listening: Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError>) =>
  Effect.gen(function*() {
    const spans: Array<Tracer.Span> = []
    const host = layerWith(app, listening).pipe(Layer.provide(collecting(spans)))
    yield* Effect.provide(
      Effect.gen(function*() {
        const { call } = yield* TestHost
        yield* answersTo(asked)
        yield* call("GET", "/v1/me", { headers: { ...bearer("rich"), traceparent } })
      }),
      host
    )
    return spans.filter(({ kind }) => kind === "server").map(({ attributes, name, parent, status }) => {
      const { request_id: requestId, ...others } = Object.fromEntries(attributes)
      return {
        name,
        parent: Option.getOrNull(Option.map(parent, ({ spanId, traceId }) => [traceId, spanId])),
        hasRequestId: typeof requestId === "string",
        attributes: Object.fromEntries(Object.entries(others).filter(([key]) => !ofPort.has(key)).toSorted()),
        ended: status._tag === "Ended" ? status.exit._tag : null
      }
    })
  })

describe("A request that has arrived whole", () => {
  it.live("is answered as by Effect's server", () =>
    Effect.gen(function*() {
      const [byLane, byEffect] = yield* Effect.all([
        Effect.provide(answers, layerWith(app)),
        Effect.provide(answers, layerWith(app, withoutLane))
      ])
      assert.deepStrictEqual(byLane, byEffect)
      assert.includeMembers(byLane.map(({ status }) => status), [200, 202, 204, 400, 401, 403, 404, 405, 500])
    }))

  it.live("goes by the lane, unless no route of the lane has its path and method", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* leftBy(answers), [
        "HEAD /v1/me",
        "OPTIONS /v1/me",
        "GET /v1/properties/%zz",
        "GET /v1/nowhere"
      ])
    }))

  it.live("goes by the lane where somebody receives spans as well", () =>
    Effect.gen(function*() {
      const me = TestHost.use(({ call }) => call("GET", "/v1/me", { headers: bearer("rich") }))
      assert.deepStrictEqual(yield* leftBy(me, collecting([])), [])
    }))

  it.live("has the span that Effect's server makes, where somebody receives it", () =>
    Effect.gen(function*() {
      const [byLane, byEffect] = yield* Effect.all([spansOf(withLane()), spansOf(withoutLane)])
      assert.deepStrictEqual(byLane, byEffect)
      assert.includeMembers(byLane.map(({ name }) => name), [
        "GET /v1/me",
        "POST /v1/properties/:id/unlock",
        "POST /v1/mcp"
      ])
      assert.isTrue(byLane.every(({ hasRequestId }) => hasRequestId))
      assert.deepStrictEqual(byLane.at(-1)?.parent, ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"])
    }))
})

it.live("A request whose body is still to come is asked for it, and answered", () =>
  Effect.gen(function*() {
    const body = JSON.stringify({ query: "sample street" })
    const asks = [
      "POST /v1/properties/search HTTP/1.1",
      "Host: a",
      `Authorization: ${bearer("rich").authorization}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue"
    ]
    const received = yield* TestHost.use(({ port }) =>
      Effect.callback<string>((resume) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(`${asks.join("\r\n")}\r\n\r\n`))
        let received = ""
        socket.setEncoding("utf8").on("data", (piece: string) => {
          received += piece
          if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write(body)
          else if (/^HTTP\/1\.1 [2-5]/m.test(received)) socket.end()
        })
        socket.on("close", () => resume(Effect.succeed(received)))
        return Effect.sync(() => socket.destroy())
      })
    ).pipe(Effect.provide(layerWith(app)))
    assert.match(received, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
  }))

it.live("What a server no longer waits for is interrupted, and its client told", () =>
  Effect.gen(function*() {
    const impatient = Layer.suspend(() => {
      const server = NodeServer.create()
      const options = { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: "1 millis" } as const
      return Layer.merge(NodeHttpServer.layerServer(() => server, options), NodeServer.lane(server))
    })
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(layerWith(app, impatient), scope)
    const { answering, call } = Context.get(context, TestHost)
    const { answer, interrupted, started } = yield* hanging
    yield* answering(GetIdentity.name, answer).pipe(Scope.provide(scope))
    const sent = yield* Effect.forkChild(call("GET", "/v1/me", { headers: bearer("rich") }))
    yield* Deferred.await(started)
    yield* Scope.close(scope, Exit.void)
    yield* Deferred.await(interrupted)
    assert.strictEqual((yield* Fiber.join(sent)).status, 503)
  }))
