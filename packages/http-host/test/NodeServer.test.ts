import { assert, describe, it, layer } from "@effect/vitest"
import { GetIdentity } from "@freehold/core/account/AccountOperations"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { request } from "node:http"
import { connect } from "node:net"
import * as RestHost from "../src/RestHost.ts"
import { bearer, hanging, layer as host, layerWith, TestHost, withLane, withoutLane } from "./TestHost.ts"

/** The ways by which a request may go. */
const ways = [["the lane", withLane()], ["Effect's server", withoutLane]] as const

/** Everything that the server sends back to these bytes before it closes the connection. */
const raw = (port: number, bytes: string) =>
  Effect.callback<string>((resume) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    let received = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      received += chunk
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

const authorized = `Authorization: ${bearer("rich").authorization}\r\n`

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))

layer(host, { excludeTestServices: true })("What is no HTTP, or none that any route is asked about", (it) => {
  for (
    const [what, bytes, status] of [
      ["no request line", "hello\r\n\r\n", 400],
      ["an unknown method", "GRAB /v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["a header without a colon", "GET /v1/me HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", 400],
      ["two lengths", "POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400],
      ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
      ["headers above 16 KiB", `GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
      ["no host", "GET /v1/me HTTP/1.1\r\n\r\n", 400],
      ["two hosts", "GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
      ["a host that is none", "GET /v1/me HTTP/1.1\r\nHost: a, b\r\n\r\n", 400],
      ["all of the server, to be read", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["an address of another protocol", "GET ftp://a/v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["an address without a host", "GET http:///v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["an address with a password", "GET http://ada:x@a/v1/me HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["a fragment", "GET /v1/me#keys HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["to be connected elsewhere", "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n", 501],
      ["an expectation that is not known", "GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", 417],
      ["a body that waits for it", "POST /v1/me HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 9\r\n\r\n", 417],
      ["a path above 4096 characters", `GET /v1/me/${"%25".repeat(1400)}?a HTTP/1.1\r\nHost: a\r\n\r\n`, 414]
    ] as const
  ) {
    it.effect(`${status}: ${what}`, () =>
      Effect.gen(function*() {
        const { port } = yield* TestHost
        const answer = yield* raw(port, bytes)
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.match(answer, /\r\nConnection: close\r\n/)
        assert.match(answer, /\r\nService-Request-Id: [0-9a-f-]{36}\r\n/)
        assert.deepStrictEqual(Object.keys(bodyOf(answer)), ["success", "error"])
        assert.isFalse(bodyOf(answer).success)
      }))
  }

  it.effect("an address is asked for by its path, and the server as a whole has nothing to tell", () =>
    Effect.gen(function*() {
      const { port } = yield* TestHost
      const statusOf = (line: string) =>
        Effect.map(
          raw(port, `${line} HTTP/1.1\r\nHost: a\r\n${authorized}Connection: close\r\n\r\n`),
          (answer) => answer.slice(9, 12)
        )
      for (const address of ["http://a", "HTTP://b.example:8080", "https://[::1]"]) {
        assert.strictEqual(yield* statusOf(`GET ${address}/v1/me`), "200")
        assert.strictEqual(yield* statusOf(`GET ${address}/v1/me?limit=1`), "400")
        assert.strictEqual(yield* statusOf(`GET ${address}?limit=1`), "404")
      }
      assert.strictEqual(yield* statusOf("OPTIONS *"), "204")
      assert.strictEqual(yield* statusOf("OPTIONS /v1/me"), "204")
    }))

  it.effect("a query may be longer than a path, and HTTP/1.0 names no host", () =>
    Effect.gen(function*() {
      const { port } = yield* TestHost
      const answer = yield* raw(port, `GET /v1/me?${"%25".repeat(1400)} HTTP/1.0\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 401 /)
    }))

  it.effect("a broken request never cuts into the answer before it", () =>
    Effect.gen(function*() {
      const { answering, port } = yield* TestHost
      const started = yield* Deferred.make<void>()
      yield* answering(GetIdentity.name, () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
      const valid = `GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer("rich").authorization}\r\n\r\n`
      for (const broken of ["broken\r\n\r\n", "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n"]) {
        assert.strictEqual(yield* raw(port, `${valid}${broken}`), "")
      }
    }))
})

for (const [way, listening] of ways) {
  layer(layerWith(RestHost.layer, listening), { excludeTestServices: true })(
    `A client that goes away, by ${way}`,
    (it) => {
      it.effect("interrupts the operation", () =>
        Effect.gen(function*() {
          const { answering, port } = yield* TestHost
          const { answer, interrupted, started } = yield* hanging
          yield* answering(GetIdentity.name, answer)
          const client = yield* Effect.sync(() => {
            const sent = request({ port, host: "127.0.0.1", path: "/v1/me", headers: bearer("rich") })
            sent.on("error", () => undefined)
            sent.end()
            return sent
          })
          yield* Deferred.await(started)
          yield* Effect.sync(() => client.destroy())
          yield* Deferred.await(interrupted)
        }))
    }
  )
}

describe("Stopping", () => {
  it.live("finishes what is in flight", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(host, scope)
      const { answering, call } = Context.get(context, TestHost)
      const started = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      yield* answering(GetIdentity.name, () =>
        Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Deferred.await(goOn)),
          Effect.as({ org_id: "made-up", credential_id: "made-up", scopes: [], label: "made-up" })
        ))
      const answer = yield* Effect.forkChild(call("GET", "/v1/me", { headers: bearer("rich") }))
      yield* Deferred.await(started)
      const closed = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow
      yield* Deferred.succeed(goOn, undefined)
      assert.strictEqual((yield* Fiber.join(answer)).status, 200)
      // The client keeps its connection open; stopping does not wait for it.
      yield* Effect.timeout(Fiber.join(closed), "5 seconds")
    }).pipe(Effect.scoped))
})
