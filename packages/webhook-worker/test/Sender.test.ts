import { assert, describe, it } from "@effect/vitest"
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { AddressGuard } from "@freehold/webhook-worker/AddressGuard"
import { HostResolver, HostUnresolved } from "@freehold/webhook-worker/HostResolver"
import { Sender, type SenderOptions } from "@freehold/webhook-worker/Sender"
import { sign } from "@freehold/webhook-worker/Signature"
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { gzipSync } from "node:zlib"
import { vi } from "vitest"
import * as Receiver from "./Receiver.ts"

const secret = "whsec_made-up-for-tests"
const eventId = "00000000-0000-4000-8000-000000000001"
const body = new TextEncoder().encode(JSON.stringify({ event_id: eventId, test: true, data: { name: "Café" } }))
const signedAt = 1_790_000_000

const post = (url: string) =>
  Sender.use((sender) =>
    sender.send({
      url,
      eventId,
      eventType: "lead.qualified",
      signatures: { "Service-Signature": sign([Redacted.make(secret)], signedAt, body) },
      body
    })
  )

/** Names that the test moves about. */
type Names = Record<string, ReadonlyArray<string>>

const resolver = (names: Names) =>
  Layer.succeed(
    HostResolver,
    HostResolver.of({
      resolve: (hostname) =>
        Effect.suspend(() => {
          const addresses = names[hostname]
          return addresses === undefined
            ? Effect.fail(new HostUnresolved({ hostname, code: "ENOTFOUND" }))
            : Effect.succeed(addresses)
        })
    })
  )

interface Setup extends SenderOptions {
  readonly policy?: TargetPolicy
  readonly names?: Names
  readonly isPublic?: (address: string) => boolean
}

const setup = ({ isPublic, names = {}, policy = "any", ...options }: Setup) =>
  Sender.layerNoDeps(options).pipe(
    Layer.provide(AddressGuard.layerNoDeps({ policy, ...(isPublic === undefined ? {} : { isPublic }) })),
    Layer.provide(resolver(names))
  )

describe("Sender", () => {
  it.live("posts the bytes with the headers of the contract, signed verifiably", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(204).end())
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/hook/a%20b?c=d#fragment`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 204 })
      const [received] = receiver.received
      assert.isDefined(received)
      assert.strictEqual(received?.method, "POST")
      assert.strictEqual(received?.path, "/hook/a%20b?c=d")
      assert.deepStrictEqual(new Uint8Array(received?.body ?? []), body)
      assert.deepInclude(received?.headers, {
        "host": `127.0.0.1:${receiver.port}`,
        "content-type": "application/json",
        "content-length": String(body.byteLength),
        "user-agent": "Freehold-Webhooks/1",
        "service-event-id": eventId,
        "service-event-type": "lead.qualified"
      })
      const header = String(received?.headers["service-signature"])
      assert.deepStrictEqual(verifySignature({ header, body: received?.body ?? body, secret, now: signedAt }), {
        valid: true,
        timestamp: signedAt
      })
    }).pipe(Effect.provide(setup({}))))

  it.live.each(
    [
      [200, "Delivered"],
      [201, "Delivered"],
      [299, "Delivered"],
      [304, "Rejected"],
      [400, "Rejected"],
      [404, "Rejected"],
      [410, "Gone"],
      [429, "Rejected"],
      [500, "Rejected"],
      [599, "Rejected"]
    ] as const
  )("answers the status %d with %s", ([status, tag]) =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(status).end())
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual<unknown>(outcome, tag === "Gone" ? { _tag: tag } : { _tag: tag, status })
    }).pipe(Effect.provide(setup({}))))

  it.live("keeps how the body of a rejection begins, in plain text, and nothing of what is packed", () =>
    Effect.gen(function*() {
      const text = `no such \u0007hook\n${"x".repeat(5_000)}`
      const receiver = yield* Receiver.http((request, response) =>
        response.writeHead(404, request.url === "/packed" ? { "content-encoding": "gzip" } : {}).end(text)
      )
      const kept = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(kept, { _tag: "Rejected", status: 404, answer: `no such  hook ${"x".repeat(186)}` })
      const packed = yield* post(`http://127.0.0.1:${receiver.port}/packed`)
      assert.deepStrictEqual(packed, { _tag: "Rejected", status: 404 })
    }).pipe(Effect.provide(setup({}))))

  it.live.each([301, 302, 303, 307, 308])("does not follow a redirect with %d", (status) =>
    Effect.gen(function*() {
      const other = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      const receiver = yield* Receiver.http((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end()
      )
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Rejected", status })
      assert.strictEqual(other.connections, 0)
    }).pipe(Effect.provide(setup({}))))

  it.live("passes over 100 Continue and other informational responses", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) =>
        socket.end(
          "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        )
      )
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
    }).pipe(Effect.provide(setup({}))))

  it.live("uses a connection again", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(200).end("made-up answer"))
      for (let attempt = 0; attempt < 5; attempt++) {
        assert.strictEqual((yield* post(`http://127.0.0.1:${receiver.port}/${attempt}`))._tag, "Delivered")
      }
      assert.strictEqual(receiver.received.length, 5)
      assert.strictEqual(receiver.connections, 1)
    }).pipe(Effect.provide(setup({}))))

  it.live("sends once more when a kept connection turns out to be closed", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((request, response) => {
        if (request.url === "/stale" && receiver.received.length === 2) request.socket.destroy()
        else response.writeHead(200).end()
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${receiver.port}/first`))._tag, "Delivered")
      assert.strictEqual((yield* post(`http://127.0.0.1:${receiver.port}/stale`))._tag, "Delivered")
      assert.deepStrictEqual(receiver.received.map(({ path }) => path), ["/first", "/stale", "/stale"])
      assert.strictEqual(receiver.connections, 2)
    }).pipe(Effect.provide(setup({}))))

  it.live("tries the next address of a name when the first does not answer", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      const outcome = yield* post(`http://receiver.example:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
      assert.strictEqual(receiver.received[0]?.headers.host, `receiver.example:${receiver.port}`)
    }).pipe(Effect.provide(setup({ names: { "receiver.example": ["127.0.0.9", "127.0.0.1"] } }))))

  it.effect("closes the connections of a receiver that was idle for a minute", () =>
    Effect.gen(function*() {
      const idle = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      const busy = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      yield* post(`http://127.0.0.1:${idle.port}/`)
      yield* TestClock.adjust("61 seconds")
      yield* post(`http://127.0.0.1:${busy.port}/`)
      yield* idle.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live("closes its connections when its layer ends", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      yield* post(`http://127.0.0.1:${receiver.port}/`).pipe(Effect.provide(setup({}), { local: true }))
      assert.strictEqual(receiver.connections, 1)
      yield* receiver.allClosed
    }))
})

/** What comes of an attempt whose time is over once its first bytes have arrived, however long they took. */
const overdue = Effect.fnUntraced(function*(scheme: "http" | "https") {
  const arrived = yield* Deferred.make<void>()
  const receiver = yield* Receiver.raw(() => Deferred.doneUnsafe(arrived, Effect.void))
  yield* Effect.acquireRelease(
    Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
    () => Effect.sync(() => vi.useRealTimers())
  )
  const attempt = yield* Effect.forkChild(post(`${scheme}://127.0.0.1:${receiver.port}/`))
  yield* Deferred.await(arrived)
  vi.advanceTimersByTime(10_000)
  return { outcome: yield* Fiber.join(attempt), receiver }
})

describe("what a receiver cannot do", () => {
  it.live("hold an attempt by never answering", () =>
    Effect.gen(function*() {
      const { outcome, receiver } = yield* overdue("http")
      assert.deepStrictEqual(outcome, {
        _tag: "Failed",
        reason: "timeout",
        detail: "waiting for the response headers"
      })
      yield* receiver.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live("hold an attempt by sending its headers bit by bit", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X-Made-Up: 1\r\n"), 10)
        socket.once("close", () => clearInterval(timer))
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepInclude(outcome, { _tag: "Failed", reason: "timeout" })
    }).pipe(Effect.provide(setup({ timeout: "150 millis" }))))

  it.live("hold an attempt by informational responses: twenty are passed over, one more ends it", () =>
    Effect.gen(function*() {
      const informational = "HTTP/1.1 102 Processing\r\n\r\n"
      const sending = (count: number) =>
        Receiver.raw((socket) => socket.write(informational.repeat(count) + "HTTP/1.1 204 No Content\r\n\r\n"))
      const patient = yield* sending(20)
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${patient.port}/`), { _tag: "Delivered", status: 204 })
      const flooding = yield* sending(21)
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${flooding.port}/`), {
        _tag: "Failed",
        reason: "protocol",
        detail: "more than 20 informational responses"
      })
      yield* flooding.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live("hold an attempt by a trickle of informational responses", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 50)
        socket.once("close", () => clearInterval(timer))
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepInclude(outcome, { _tag: "Failed", reason: "timeout" })
      yield* receiver.allClosed
    }).pipe(Effect.provide(setup({ timeout: "150 millis" }))))

  it.live("make it read on a kept connection that nothing was asked on (W6)", () =>
    Effect.gen(function*() {
      let written = 0
      const chunk = Buffer.alloc(64 * 1024)
      const receiver = yield* Receiver.raw((socket) => {
        const flood = () => {
          while (!socket.destroyed && written < 1_000_000_000) {
            written += chunk.byteLength
            if (!socket.write(chunk)) return void socket.once("drain", flood)
          }
        }
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", flood)
      })
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${receiver.port}/`), { _tag: "Delivered", status: 200 })
      yield* receiver.allClosed
      assert.isBelow(written, 50_000_000)
    }).pipe(Effect.provide(setup({}))))

  it.live("hold an attempt in the TLS handshake", () =>
    Effect.gen(function*() {
      const { outcome } = yield* overdue("https")
      assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "timeout", detail: "waiting for the TLS handshake" })
    }).pipe(Effect.provide(setup({}))))

  it.live("hold an attempt in the name lookup", () =>
    Effect.gen(function*() {
      const outcome = yield* post("https://receiver.example/")
      assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "timeout", detail: "waiting for the name lookup" })
    }).pipe(Effect.provide(
      Sender.layerNoDeps({ timeout: "50 millis" }).pipe(
        Layer.provide(AddressGuard.layerNoDeps({ policy: "public" })),
        Layer.provide(Layer.succeed(HostResolver, HostResolver.of({ resolve: () => Effect.never })))
      )
    )))

  it.live("delay an outcome by a body that never ends, and its connection is closed", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => {
        response.writeHead(200)
        response.write("made-up beginning")
      })
      assert.strictEqual((yield* post(`http://127.0.0.1:${receiver.port}/`))._tag, "Delivered")
      yield* receiver.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live("make it read a huge body", () =>
    Effect.gen(function*() {
      let written = 0
      const chunk = Buffer.alloc(64 * 1024)
      const receiver = yield* Receiver.http((_request, response) => {
        const write = () => {
          while (written < 1_000_000_000) {
            written += chunk.byteLength
            if (!response.write(chunk)) return void response.once("drain", write)
          }
        }
        response.writeHead(200)
        write()
      })
      const begun = performance.now()
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
      // Its place is not free for the next at once.
      assert.isAtLeast(performance.now() - begun, 450)
      yield* receiver.allClosed
      // What fits into the buffers of the sockets may have been written, and no more.
      assert.isBelow(written, 50_000_000)
    }).pipe(Effect.provide(setup({}))))

  it.live("turn a delivered outcome into a failure by breaking off the body", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) => {
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\npart")
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
      yield* receiver.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live("have a reset on a fresh connection taken for the end of a kept one (W6)", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) => socket.resetAndDestroy())
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "protocol", detail: "ECONNRESET" })
      assert.strictEqual(receiver.connections, 1)
    }).pipe(Effect.provide(setup({}))))

  it.live.each(["with it", "after it"])(
    "have bytes that follow an answer, %s, taken for the next answer (W6)",
    (when) =>
      Effect.gen(function*() {
        const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        const receiver = yield* Receiver.raw((socket) => {
          if (receiver.connections > 1) socket.write("HTTP/1.1 500 Made Up\r\nContent-Length: 0\r\n\r\n")
          else if (when === "with it") socket.write(answer + answer)
          else socket.write(answer, () => socket.write(answer))
        })
        assert.deepStrictEqual(yield* post(`http://127.0.0.1:${receiver.port}/`), { _tag: "Delivered", status: 200 })
        yield* receiver.allClosed
        assert.deepStrictEqual(yield* post(`http://127.0.0.1:${receiver.port}/`), { _tag: "Rejected", status: 500 })
      }).pipe(Effect.provide(setup({})))
  )

  it.live("have a compressed body inflated, be it a bomb or no such thing (W6)", () =>
    Effect.gen(function*() {
      // Inflated it is beyond what is read off, after which a connection is closed.
      const bodies = [gzipSync(Buffer.alloc(8_000_000)), Buffer.from("made-up bytes that are no gzip")]
      const receiver = yield* Receiver.http((_request, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(bodies[receiver.received.length - 1])
      )
      for (const _ of [...bodies, "afterwards"]) {
        assert.strictEqual((yield* post(`http://127.0.0.1:${receiver.port}/`))._tag, "Delivered")
      }
      assert.strictEqual(receiver.connections, 1)
      assert.isUndefined(receiver.received[0]?.headers["accept-encoding"])
    }).pipe(Effect.provide(setup({}))))

  it.live("take over the connection", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: made-up\r\n\r\n")
      )
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Rejected", status: 101 })
      yield* receiver.allClosed
    }).pipe(Effect.provide(setup({}))))

  it.live.each(
    [
      ["no HTTP", "made-up\r\n\r\n"],
      ["a response header without end", `HTTP/1.1 200 OK\r\nX-Made-Up: ${"a".repeat(100_000)}\r\n\r\n`],
      ["response headers without end", `HTTP/1.1 200 OK\r\n${"X-Made-Up: 1\r\n".repeat(10_000)}\r\n`],
      ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
      ["nothing", ""]
    ] as const
  )("pass for one that answered, with %s", ([_name, text]) =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.raw((socket) => socket.end(text))
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      assert.deepInclude(outcome, { _tag: "Failed", reason: "protocol" })
    }).pipe(Effect.provide(setup({}))))
})

describe("failures before the request", () => {
  it.live("a port where nobody listens is a connect failure", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(Effect.map(Receiver.silent(), (receiver) => receiver.port))
      const outcome = yield* post(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "connect", detail: "ECONNREFUSED" })
    }).pipe(Effect.provide(setup({}))))

  it.live("a name that does not resolve is a dns failure", () =>
    Effect.gen(function*() {
      const outcome = yield* post("https://nowhere.example/")
      assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "dns", detail: "ENOTFOUND" })
    }).pipe(Effect.provide(setup({ policy: "public" }))))

  it.live("the development policy resolves with the operating system", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      const outcome = yield* post(`http://localhost:${receiver.port}/`)
      assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
    }).pipe(Effect.provide(Sender.layer({ policy: "any" }))))
})

describe("TLS", () => {
  const ok = (status = 200) => (_request: unknown, response: { writeHead(status: number): { end(): unknown } }) =>
    void response.writeHead(status).end()
  const names = { "receiver.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] }

  it.live("accepts a certificate of a trusted authority, by the name and not the address", () =>
    Effect.gen(function*() {
      const authority = yield* Receiver.makeAuthority()
      const receiver = yield* Receiver.https(yield* authority.issue("receiver.example"), ok())
      yield* Effect.gen(function*() {
        const outcome = yield* post(`https://receiver.example.:${receiver.port}/`)
        assert.deepStrictEqual(outcome, { _tag: "Delivered", status: 200 })
        assert.strictEqual(receiver.received[0]?.headers.host, `receiver.example:${receiver.port}`)
        const wrong = yield* post(`https://other.example:${receiver.port}/`)
        assert.deepStrictEqual(wrong, { _tag: "Failed", reason: "tls", detail: "ERR_TLS_CERT_ALTNAME_INVALID" })
        assert.strictEqual(receiver.received.length, 1)
      }).pipe(Effect.provide(setup({ names, authorities: [authority.cert] })))
    }))

  it.live.each(["any", "public"] as const)(
    "rejects a self-signed certificate under the policy %s",
    (policy) =>
      Effect.gen(function*() {
        const authority = yield* Receiver.makeAuthority()
        const receiver = yield* Receiver.https(yield* authority.selfSigned("receiver.example"), ok())
        const outcome = yield* post(`https://receiver.example:${receiver.port}/`)
        assert.deepStrictEqual(outcome, { _tag: "Failed", reason: "tls", detail: "DEPTH_ZERO_SELF_SIGNED_CERT" })
        assert.strictEqual(receiver.received.length, 0)
      }).pipe(Effect.provide(setup({ policy, names, isPublic: () => true })))
  )

  it.live("rejects an authority that is not trusted", () =>
    Effect.gen(function*() {
      const authority = yield* Receiver.makeAuthority()
      const receiver = yield* Receiver.https(yield* authority.issue("receiver.example"), ok())
      const outcome = yield* post(`https://receiver.example:${receiver.port}/`)
      assert.deepInclude(outcome, { _tag: "Failed", reason: "tls" })
      assert.strictEqual(receiver.received.length, 0)
    }).pipe(Effect.provide(setup({ names }))))

  it.live("reports a receiver that speaks no TLS", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http(ok())
      const outcome = yield* post(`https://receiver.example:${receiver.port}/`)
      assert.deepInclude(outcome, { _tag: "Failed", reason: "tls" })
    }).pipe(Effect.provide(setup({ names }))))
})

describe("the address guard in sending", () => {
  it.live("blocks a name that leads to a private address, and connects to none of its addresses", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.silent()
      const outcome = yield* post(`https://receiver.example:${receiver.port}/`)
      assert.deepStrictEqual(outcome, {
        _tag: "Blocked",
        rule: "private_address",
        detail: "receiver.example resolves to 127.0.0.1, which is a private, local or reserved address"
      })
      assert.strictEqual(receiver.connections, 0)
    }).pipe(Effect.provide(setup({ policy: "public", names: { "receiver.example": ["8.8.8.8", "127.0.0.1"] } }))))

  it.live("blocks a URL that the policy no longer allows", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.silent()
      for (
        const [url, rule] of [
          [`http://receiver.example:${receiver.port}/`, "scheme"],
          [`https://127.0.0.1:${receiver.port}/`, "private_address"],
          [`https://localhost:${receiver.port}/`, "local_name"]
        ] as const
      ) {
        assert.deepInclude(yield* post(url), { _tag: "Blocked", rule })
      }
      assert.strictEqual(receiver.connections, 0)
    }).pipe(Effect.provide(setup({ policy: "public" }))))

  it.live("vets every attempt: a name that turns private is blocked although a connection is open", () =>
    Effect.gen(function*() {
      const authority = yield* Receiver.makeAuthority()
      const receiver = yield* Receiver.https(
        yield* authority.issue("receiver.example"),
        (_request, response) => response.writeHead(200).end()
      )
      // Loopback stands in for the public internet, but for one address.
      const names: Names = { "receiver.example": ["127.0.0.1"] }
      const isPublic = (address: string) => address === "127.0.0.1"
      yield* Effect.gen(function*() {
        const url = `https://receiver.example:${receiver.port}/`
        assert.strictEqual((yield* post(url))._tag, "Delivered")
        names["receiver.example"] = ["10.0.0.1"]
        assert.deepInclude(yield* post(url), { _tag: "Blocked", rule: "private_address" })
        names["receiver.example"] = ["127.0.0.1", "127.0.0.2"]
        assert.deepInclude(yield* post(url), { _tag: "Blocked", rule: "private_address" })
        assert.strictEqual(receiver.received.length, 1)
        names["receiver.example"] = ["127.0.0.1"]
        assert.strictEqual((yield* post(url))._tag, "Delivered")
        assert.strictEqual(receiver.connections, 1)
      }).pipe(Effect.provide(setup({ policy: "public", names, isPublic, authorities: [authority.cert] })))
    }))

  it.live("uses no connection that was made for other addresses", () =>
    Effect.gen(function*() {
      const receiver = yield* Receiver.http((_request, response) => response.writeHead(200).end())
      const names: Names = { "receiver.example": ["127.0.0.1"] }
      yield* Effect.gen(function*() {
        const url = `http://receiver.example:${receiver.port}/`
        assert.strictEqual((yield* post(url))._tag, "Delivered")
        names["receiver.example"] = ["127.0.0.1", "127.0.0.9"]
        assert.strictEqual((yield* post(url))._tag, "Delivered")
        assert.strictEqual(receiver.connections, 2)
      }).pipe(Effect.provide(setup({ names })))
    }))
})
