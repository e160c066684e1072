/** What clients may hold of a server, with real sockets against bounds that are small or soon over. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IpNetwork } from "effect/net"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { pipeline, Writable } from "node:stream"
import { vi } from "vitest"
import * as KnownCallers from "../src/KnownCallers.ts"
import * as NodeServer from "../src/NodeServer.ts"
import type { ServerBounds } from "../src/ServerBounds.ts"

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const last = (path: string) => get(path, "Connection: close\r\n")

const megabyte = "x".repeat(1_000_000)

/** Answers with the path; `/large` with 8 MB, `/never` not at all. */
const answer = ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
  if (url === "/large") response.end(megabyte.repeat(8))
  else if (url !== "/never") response.end(url)
}

/** A server on every loopback address, and what opens connections to it. */
const serving = (bounds: Partial<ServerBounds>, onRequest = answer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const cuts: Array<string> = []
      const server = NodeServer.create(bounds, (cause) => cuts.push(cause))
      const accepted: Array<Socket> = []
      const opened: Array<Socket> = []
      server.on("connection", (socket) => accepted.push(socket))
      server.on("request", onRequest)
      // As the platform's server does; what it is given, it keeps.
      server.on("upgrade", () => undefined)
      server.listen(0, "0.0.0.0")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      /** A client that has sent these bytes and reads nothing until it is asked to. */
      const open = async (bytes: string, from = "127.0.0.1") => {
        const socket = connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true })
        socket.on("error", () => undefined)
        opened.push(socket)
        await once(socket, "connect")
        socket.write(bytes)
        return socket
      }
      return { server, accepted, opened, open, cuts }
    }),
    ({ opened, server }) =>
      Effect.promise(async () => {
        for (const socket of opened) socket.destroy()
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )

/** Everything that is sent until the connection is closed. */
const received = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.on("end", () => socket.end())
    socket.on("close", () => resolve(text))
  })

/** Sends one request after the answer to the other one has begun to arrive. */
const inTurn = async (socket: Socket, then: string) => {
  const text = received(socket)
  await once(socket, "data")
  socket.write(then)
  return text
}

const bodiesOf = (text: string) => [...text.matchAll(/\r\n\r\n(\/[a-z]+)/g)].map(([, body]) => body)

/** The first `count` requests of a server, by their paths. */
const arrivals = () => {
  const paths: Array<string | undefined> = []
  const waiting = new Map<number, () => void>()
  return {
    paths,
    note: ({ url }: IncomingMessage) => {
      paths.push(url)
      waiting.get(paths.length)?.()
    },
    atLeast: (count: number) =>
      paths.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(count, resolve))
  }
}

/** Answers what was noted. */
const answering = (note: (request: IncomingMessage) => void): typeof answer => (request, response) => {
  note(request)
  answer(request, response)
}

describe("Pipelined requests", () => {
  it.effect("are answered one by one", () =>
    Effect.gen(function*() {
      let underWay = 0
      const atOnce: Array<number> = []
      const { open } = yield* serving({}, (request, response) => {
        atOnce.push(++underWay)
        setImmediate(() => {
          underWay--
          answer(request, response)
        })
      })
      const paths = ["/a", "/b", "/c", "/d", "/e"]
      const text = yield* Effect.promise(async () =>
        received(await open(paths.map((path) => path === "/e" ? last(path) : get(path)).join("")))
      )
      assert.deepStrictEqual(bodiesOf(text), paths)
      assert.deepStrictEqual(atOnce, [1, 1, 1, 1, 1])
    }).pipe(Effect.scoped))

  it.effect("close the connection when more than may wait are sent", () =>
    Effect.gen(function*() {
      const { note, paths } = arrivals()
      const { open } = yield* serving({ waitingRequests: 3 }, note)
      const text = yield* Effect.promise(async () => received(await open(get("/never").repeat(5))))
      assert.strictEqual(text, "")
      assert.deepStrictEqual(paths, ["/never"])
    }).pipe(Effect.scoped))

  it.effect.each(
    [
      ["of a route", get("/never")],
      ["that name no host", "GET / HTTP/1.1\r\n\r\n"],
      ["that expect something", get("/", "Expect: more\r\n")]
    ] as const
  )(
    "of which there are far too many are not read, and keep their address out for a while: those %s (V9)",
    ([, each]) =>
      Effect.gen(function*() {
        let seen = 0
        const note = () => seen++
        subscribe("http.server.request.start", note)
        yield* Effect.addFinalizer(() => Effect.sync(() => unsubscribe("http.server.request.start", note)))
        const { cuts, open } = yield* serving({ waitingRequests: 3 })
        yield* Effect.promise(async () => {
          await received(await open(each.repeat(1500)))
          assert.strictEqual(seen, 5)
          await received(await open(last("/barred")))
          assert.deepStrictEqual(cuts, ["requests", "barred"])
          assert.deepStrictEqual(bodiesOf(await received(await open(last("/other"), "127.0.0.2"))), ["/other"])
        })
      }).pipe(Effect.scoped)
  )
})

describe("An answer that is not read", () => {
  it.effect("closes the connection in time, and no other request of it was begun", () =>
    Effect.gen(function*() {
      const { note, paths } = arrivals()
      const unread: Array<number> = []
      const { accepted, open } = yield* serving({ answerTimeout: 50, watchInterval: 10 }, (request, response) => {
        note(request)
        unread.push(request.socket.writableLength)
        answer(request, response)
      })
      yield* Effect.promise(async () => {
        await open(get("/large").repeat(12))
        const [socket] = accepted
        if (socket !== undefined && !socket.closed) await once(socket, "close")
      })
      assert.isBelow(paths.length, 12)
      assert.deepStrictEqual(unread, paths.map(() => 0))
    }).pipe(Effect.scoped))

  it.effect("is dropped, the oldest first, while too much is held in all; others are answered", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { accepted, open } = yield* serving(
        { heldBytes: 12_000_000, watchInterval: 10 },
        (request, response) => {
          note(request)
          // More than the operating system takes.
          if (request.url === "/large") response.end(megabyte.repeat(16))
          else answer(request, response)
        }
      )
      yield* Effect.promise(async () => {
        for (const count of [1, 2, 3]) {
          await open(get("/large"))
          await atLeast(count)
        }
        await Promise.all(accepted.slice(0, 2).map((socket) => socket.closed || once(socket, "close")))
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/small")))), ["/small"])
      })
    }).pipe(Effect.scoped))
})

describe("A request that does not go on", () => {
  it.effect("is not begun before it is whole (V8)", () =>
    Effect.gen(function*() {
      const { note, paths } = arrivals()
      const { open } = yield* serving({}, answering(note))
      yield* Effect.promise(async () => {
        const slow = await open("POST /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{")
        const text = received(slow)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/other")))), ["/other"])
        assert.deepStrictEqual(paths, ["/other"])
        slow.write("}")
        assert.deepStrictEqual(bodiesOf(await text), ["/slow"])
      })
    }).pipe(Effect.scoped))

  it.effect("is begun when as much of it has come as is held before it is read", () =>
    Effect.gen(function*() {
      const { atLeast, note, paths } = arrivals()
      const { open } = yield* serving({}, (request) => note(request))
      yield* Effect.promise(async () => {
        await open(`POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n${megabyte}`)
        await atLeast(1)
        assert.deepStrictEqual(paths, ["/large"])
      })
    }).pipe(Effect.scoped))

  it.effect("is dropped while too much is held in all", () =>
    Effect.gen(function*() {
      const { accepted, open } = yield* serving({ heldBytes: 500_000, watchInterval: 10 }, (request, response) => {
        if (request.method === "POST") request.resume()
        else answer(request, response)
      })
      yield* Effect.promise(async () => {
        const head = "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n"
        await open(head + megabyte)
        const [socket] = accepted
        if (socket !== undefined && !socket.closed) await once(socket, "close")
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/small")))), ["/small"])
      })
    }).pipe(Effect.scoped))
})

describe("A body in small pieces", () => {
  /** Answers a whole body with its length and in how many pieces it was handed on. */
  const measure = (request: IncomingMessage, response: ServerResponse): void => {
    let length = 0
    let pieces = 0
    request.on("data", (piece: Buffer) => {
      length += piece.length
      pieces++
    })
    request.on("end", () => response.end(`${length} in ${pieces}`))
  }
  const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
  const piece = (size: number) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`
  const end = "0\r\n\r\n"

  it.effect("is handed on in few", () =>
    Effect.gen(function*() {
      const { open } = yield* serving({}, measure)
      const sent = head + piece(1).repeat(200) + piece(100).repeat(1000) + piece(20_000) + end
      const text = yield* Effect.promise(async () => received(await open(sent)))
      const [, length, pieces] = /(\d+) in (\d+)/.exec(text) ?? []
      assert.strictEqual(Number(length), 200 + 100_000 + 20_000)
      assert.isBelow(Number(pieces), 10)
    }).pipe(Effect.scoped))

  it.effect("closes the connection once they are too many and too small, also before anybody reads", () =>
    Effect.gen(function*() {
      for (const onRequest of [measure, () => undefined]) {
        const { cuts, open } = yield* serving({}, onRequest)
        const text = yield* Effect.promise(async () => received(await open(head + piece(1).repeat(400))))
        assert.strictEqual(text, "")
        assert.deepStrictEqual(cuts, ["pieces"])
      }
    }).pipe(Effect.scoped))

  it.effect("keeps its address out for a while, and whatever it has not sent whole", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const now = performance.now.bind(performance)
      let passed = 0
      vi.spyOn(performance, "now").mockImplementation(() => now() + passed)
      const barred = 600_000
      const { cuts, open } = yield* serving({ barred }, answering(note))
      yield* Effect.promise(async () => {
        const known = await open(get("/never"))
        await atLeast(1)
        const half = received(await open("GET /half HTTP/1.1\r\n"))
        await received(await open(head + piece(1).repeat(400)))
        assert.strictEqual(await half, "")
        assert.strictEqual(await received(await open(last("/barred"))), "")
        assert.deepStrictEqual(cuts, ["pieces", "pieces", "barred"])
        assert.isFalse(known.closed)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/other"), "127.0.0.2"))), ["/other"])
        passed = barred
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/later")))), ["/later"])
      })
    }).pipe(Effect.scoped))
})

describe("A body that is read no further", () => {
  it.effect("may go on all the same", () =>
    Effect.gen(function*() {
      const { open } = yield* serving({}, (request, response) => {
        if (request.method === "GET") return answer(request, response)
        request.once("data", () => {
          // As whoever iterates over a request and stops.
          pipeline(
            request,
            new Writable({ write: (_piece, _encoding, done) => done(new Error("enough")) }),
            () => response.end("/enough")
          )
        })
      })
      yield* Effect.promise(async () => {
        const socket = await open(
          `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${megabyte.slice(0, 200_000)}`
        )
        await once(socket, "data")
        await new Promise((sent) => socket.write(megabyte.slice(0, 200_000), sent))
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/other")))), ["/other"])
      })
    }).pipe(Effect.scoped))
})

describe("A connection that is asked to change its protocol", () => {
  for (const protocol of ["websocket", "h2c", "x"]) {
    it.effect(`stays one of HTTP: ${protocol}`, () =>
      Effect.gen(function*() {
        const { open } = yield* serving({})
        const upgrade = get("/a", `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`)
        const text = yield* Effect.promise(async () => inTurn(await open(upgrade), last("/b")))
        assert.deepStrictEqual(bodiesOf(text), ["/a", "/b"])
      }).pipe(Effect.scoped))
  }

  it.effect("is closed by a Node that gives it away", () =>
    Effect.gen(function*() {
      const { open, server } = yield* serving({})
      Object.assign(server, { shouldUpgradeCallback: () => true })
      const upgrade = get("/a", "Connection: Upgrade\r\nUpgrade: websocket\r\n")
      assert.strictEqual(yield* Effect.promise(async () => received(await open(upgrade))), "")
    }).pipe(Effect.scoped))

  it.effect("is told that nobody is connected elsewhere, and closed, when it is to become a tunnel", () =>
    Effect.gen(function*() {
      const { open } = yield* serving({})
      const text = yield* Effect.promise(async () => received(await open("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n")))
      assert.match(text, /^HTTP\/1\.1 501 .*Connection: close/s)
    }).pipe(Effect.scoped))
})

describe("More connections", () => {
  it.effect("than an address may have are refused; another address is served", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { open } = yield* serving({ connectionsPerAddress: 3 }, answering(note))
      yield* Effect.promise(async () => {
        await Promise.all([1, 2, 3].map(() => open(get("/never"))))
        await atLeast(3)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/mine")))), [])
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/theirs"), "127.0.0.2"))), ["/theirs"])
      })
    }).pipe(Effect.scoped))

  it.effect("than an address may have take the place of the one that was idle longest", () =>
    Effect.gen(function*() {
      const { open } = yield* serving({ connectionsPerAddress: 2 })
      yield* Effect.promise(async () => {
        const first = await open(get("/first"))
        const firstText = received(first)
        await once(first, "data")
        const second = await open("")
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/third")))), ["/third"])
        await firstText
        second.write(last("/second"))
        assert.deepStrictEqual(bodiesOf(await received(second)), ["/second"])
      })
    }).pipe(Effect.scoped))

  it.effect("than an address may have take the place of one whose answer is not taken, if none is idle (V10)", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { cuts, open } = yield* serving({ connectionsPerAddress: 2 }, answering(note))
      yield* Effect.promise(async () => {
        await open(get("/never"))
        await atLeast(1)
        const untaken = await open(get("/large"))
        await atLeast(2)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/third")))), ["/third"])
        assert.deepStrictEqual(cuts, ["address"])
        assert.notInclude(await received(untaken), megabyte.repeat(8))
      })
    }).pipe(Effect.scoped))

  for (
    const [what, start] of [["headers", "GET /a HTTP/1.1\r\n"], [
      "a body",
      `POST /a HTTP/1.1\r\nHost: a\r\n${"Content-Length: 9\r\n\r\n{"}`
    ]] as const
  ) {
    it.effect(`than may be without a whole request close one of who has most: ${what}`, () =>
      Effect.gen(function*() {
        const { atLeast, note } = arrivals()
        const { cuts, open } = yield* serving({ unfinished: 3 }, (request, response) => {
          note(request)
          if (request.method === "GET") answer(request, response)
        })
        yield* Effect.promise(async () => {
          const known = await open(get("/known"))
          const knownText = received(known)
          await atLeast(1)
          const few = await open(start, "127.0.0.2")
          const first = received(await open(start, "127.0.0.3"))
          await open(start, "127.0.0.3")
          await open(start, "127.0.0.4")
          assert.strictEqual(await first, "")
          assert.deepStrictEqual(cuts, ["unfinished"])
          known.write(last("/again"))
          assert.deepStrictEqual(bodiesOf(await knownText), ["/known", "/again"])
          assert.isFalse(few.closed)
        })
      }).pipe(Effect.scoped))
  }

  it.effect("than there may be in all take the place of one whose body does not end, of who has most", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { cuts, open } = yield* serving({ connections: 3 }, answering(note))
      const endless = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"
      yield* Effect.promise(async () => {
        const few = await open(get("/known"))
        const fewText = received(few)
        await atLeast(1)
        const first = received(await open(endless, "127.0.0.2"))
        await open(endless, "127.0.0.2")
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/new"), "127.0.0.3"))), ["/new"])
        assert.strictEqual(await first, "")
        assert.deepStrictEqual(cuts, ["all"])
        few.write(last("/again"))
        assert.deepStrictEqual(bodiesOf(await fewText), ["/known", "/again"])
      })
    }).pipe(Effect.scoped))

  it.effect("than there may be in all take the place of strangers who take no answer, and of nobody who is known (V10)", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { cuts, open } = yield* serving({ connections: 4 }, answering(note))
      const authorization = "Bearer known-to-Connections.test"
      KnownCallers.ofProcess.remember(KnownCallers.claimOf({ authorization }), "known to Connections.test")
      const asKnown = `Authorization: ${authorization}\r\n`
      yield* Effect.promise(async () => {
        const known = await Promise.all([1, 2].map(() => open(get("/known", asKnown), "127.0.0.2")))
        const texts = known.map(received)
        await Promise.all(known.map((socket) => once(socket, "data")))
        for (const from of ["127.0.0.3", "127.0.0.4"]) await open(get("/large").repeat(2), from)
        await atLeast(4)
        for (const path of ["/new", "/newer"]) {
          assert.deepStrictEqual(bodiesOf(await received(await open(last(path), "127.0.0.5"))), [path])
        }
        assert.deepStrictEqual(cuts, ["all"])
        for (const socket of known) socket.write(last("/again"))
        for (const text of texts) assert.deepStrictEqual(bodiesOf(await text), ["/known", "/again"])
      })
    }).pipe(Effect.scoped))

  it.effect("of a trusted proxy are many clients'", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const trustedProxies = [IpNetwork.fromStringUnsafe("127.0.0.2/32")]
      const { open } = yield* serving({ connectionsPerAddress: 1, trustedProxies }, answering(note))
      yield* Effect.promise(async () => {
        for (const from of ["127.0.0.2", "127.0.0.2", "127.0.0.1"]) await open(get("/never"), from)
        await atLeast(3)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/proxied"), "127.0.0.2"))), ["/proxied"])
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/direct")))), [])
      })
    }).pipe(Effect.scoped))

  it.effect("than there may be in all are refused, and come in again when some have gone", () =>
    Effect.gen(function*() {
      const { atLeast, note } = arrivals()
      const { accepted, open } = yield* serving({ connections: 2 }, answering(note))
      yield* Effect.promise(async () => {
        const leaving = await open(get("/never"))
        await open(get("/never"), "127.0.0.2")
        await atLeast(2)
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/third"), "127.0.0.3"))), [])
        const [first] = accepted
        leaving.destroy()
        if (first !== undefined && !first.closed) await once(first, "close")
        assert.deepStrictEqual(bodiesOf(await received(await open(last("/fourth"), "127.0.0.3"))), ["/fourth"])
      })
    }).pipe(Effect.scoped))
})
