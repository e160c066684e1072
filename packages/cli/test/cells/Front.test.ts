/** The front by itself, before cells that are played: which cell it asks, what it passes on, and what it answers of its own. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, onTestFinished, test } from "vitest"
import { create, defaults } from "../../src/front/Front.ts"

const listening = async (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  server = createServer(handle)
) => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Answers with its name and what it was asked. */
const cell = (name: string) =>
  listening(async (request, response) => {
    const { authorization, "x-forwarded-for": forwarded } = request.headers
    const body = await text(request)
    response.writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ name, authorization, forwarded, url: request.url, method: request.method, body }))
  })

const keyOf = (cell: string) => `fhk_${cell}-${"k".repeat(42 - cell.length)}`

const ask = async (origin: URL, path: string, key?: string, init: RequestInit = {}) => {
  const response = await fetch(new URL(path, origin), {
    ...init,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` }
  })
  const body: ReturnType<typeof JSON.parse> = await response.json()
  return { status: response.status, headers: response.headers, body }
}

const frontOf = async (routes: Parameters<typeof create>[0], bounds = defaults) =>
  listening(() => {}, create(routes, bounds))

test("a key goes to the cell that it names, a host to its own, and nobody else anywhere", async () => {
  const cells = new Map([["east", await cell("east")], ["west", await cell("west")]])
  const strict = await frontOf({ cells, hosts: new Map(), otherwise: null })
  const found = await ask(strict, "/v1/notes?limit=2", keyOf("west"), { method: "POST", body: "a".repeat(200_000) })
  assert.containSubset(found.body, {
    name: "west",
    authorization: `Bearer ${keyOf("west")}`,
    forwarded: "127.0.0.1",
    url: "/v1/notes?limit=2",
    method: "POST",
    body: "a".repeat(200_000)
  })
  for (const key of [keyOf("north"), `fhk_${"k".repeat(43)}`, undefined]) {
    const { body, headers, status } = await ask(strict, "/v1/me", key)
    assert.strictEqual(status, 401)
    assert.strictEqual(headers.get("link"), `</docs/errors/UNAUTHENTICATED>; rel="help"`)
    assert.deepStrictEqual(Object.keys(body), ["success", "error"])
  }
  const lenient = await frontOf({ cells, hosts: new Map([["127.0.0.1", "west"]]), otherwise: "east" })
  assert.strictEqual((await ask(lenient, "/v1/me", keyOf("east"))).body.name, "west")
  const fallen = await frontOf({ cells, hosts: new Map(), otherwise: "east" })
  assert.strictEqual((await ask(fallen, "/")).body.name, "east")
})

/** What is answered to a request that is written by hand, with its connection closed after it. */
const written = async (origin: URL, line: string, headers: ReadonlyArray<string> = [], body = "") => {
  const socket = connect(Number(origin.port), origin.hostname)
  socket.write([`${line} HTTP/1.1`, "Host: service.example", ...headers, "", body].join("\r\n"))
  socket.on("data", () => socket.end())
  const answer = await text(socket)
  return answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1)
}

test("whatever is asked for, the cell is asked, and no host that a client names", async () => {
  const elsewhere = await cell("elsewhere")
  const front = await frontOf({ cells: new Map([["east", await cell("east")]]), hosts: new Map(), otherwise: "east" })
  for (const target of [`//${elsewhere.host}/x`, `/\\${elsewhere.host}/x`, "//"]) {
    assert.containSubset(JSON.parse(await written(front, `GET ${target}`)), { name: "east", url: target })
  }
  const { url, ...answered } = JSON.parse(await written(front, `GET ${elsewhere.origin}/x?y`))
  assert.deepInclude(answered, { name: "east" })
  assert.strictEqual(url, "/x?y")
  for (const target of ["http://[/x", "*", "/x#y"]) {
    assert.include(await written(front, `GET ${target}`), `"success":false,"error":"The request `)
  }
})

test("a body is no request, whatever its method and however it is framed", async () => {
  const asked: Array<string> = []
  const one = await listening(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(JSON.stringify({ body: await text(request) }))
  })
  const front = await frontOf({ cells: new Map([["one", one]]), hosts: new Map(), otherwise: "one" })
  const body = "GET /other HTTP/1.1\r\nHost: service.example\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
  const framings = [
    [["Transfer-Encoding: chunked"], `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    [[`Content-Length: ${body.length}`, "Connection: content-length"], body]
  ] as const
  for (const method of ["GET", "DELETE", "POST"]) {
    for (const [headers, framed] of framings) {
      const answer = await written(front, `${method} /one`, headers, framed)
      assert.deepStrictEqual(JSON.parse(answer), { body })
    }
  }
  assert.deepStrictEqual(new Set(asked), new Set(["GET /one", "DELETE /one", "POST /one"]))
})

test("whoever keeps many requests waiting for their answers keeps nobody else waiting", async () => {
  let held = 0
  const all = Promise.withResolvers<void>()
  const slow = await listening((request, response) => {
    if (request.url === "/v1/me") response.end("{}")
    else if (++held === 400) all.resolve()
  })
  const front = await frontOf({ cells: new Map([["slow", slow]]), hosts: new Map(), otherwise: "slow" })
  const sockets = Array.from({ length: 400 }, () => connect(Number(front.port), front.hostname))
  for (const socket of sockets) socket.write("GET /v1/changes HTTP/1.1\r\nHost: service.example\r\n\r\n")
  await all.promise
  assert.strictEqual((await ask(front, "/v1/me")).status, 200)
  for (const socket of sockets) socket.destroy()
})

test("a cell may go away within a body, and whoever sends it is answered", async () => {
  const hasty = await listening((request, response) => {
    if (request.method === "GET") response.end(JSON.stringify({ name: "hasty" }))
    else request.once("data", () => request.socket.destroy())
  })
  const front = await frontOf({ cells: new Map([["hasty", hasty]]), hosts: new Map(), otherwise: "hasty" })
  const socket = connect(Number(front.port), front.hostname)
  const piece = "x".repeat(300_000)
  socket.write(
    `POST /v1/notes HTTP/1.1\r\nHost: service.example\r\nContent-Length: ${2 * piece.length}\r\n\r\n${piece}`
  )
  const [answer] = await once(socket, "data")
  assert.match(String(answer), /^HTTP\/1\.1 503 /)
  await new Promise((sent) => socket.write(piece, sent))
  socket.write("GET /v1/me HTTP/1.1\r\nHost: service.example\r\nConnection: close\r\n\r\n")
  assert.include(await text(socket), `{"name":"hasty"}`)
})

test("an organization that moved is asked for where it is, once and from then on", async () => {
  let asked = 0
  const left = await listening((request, response) => {
    asked++
    request.resume().on("end", () => response.writeHead(503, { "freehold-cell": "west" }).end("{}"))
  })
  const front = await frontOf({
    cells: new Map([["east", left], ["west", await cell("west")]]),
    hosts: new Map(),
    otherwise: null
  })
  const warned: Array<string> = []
  const warn = ({ message }: Error) => warned.push(message)
  process.on("warning", warn)
  onTestFinished(() => {
    process.off("warning", warn)
  })
  for (let time = 0; time < 2; time++) {
    const { body } = await ask(front, "/v1/notes", keyOf("east"), { method: "POST", body: "a note" })
    assert.containSubset(body, { name: "west", body: "a note" })
  }
  assert.strictEqual(asked, 1)
  assert.deepStrictEqual(warned, [])
})

test("a cell that is away, or does not begin to answer, is a 503 that may be tried again", async () => {
  const silent = await listening(() => {})
  const front = await frontOf(
    { cells: new Map([["away", new URL("http://127.0.0.1:1")], ["late", silent]]), hosts: new Map(), otherwise: null },
    { ...defaults, patience: 50 }
  )
  for (const name of ["away", "late"]) {
    const { body, headers, status } = await ask(front, "/v1/me", keyOf(name))
    assert.strictEqual(status, 503)
    assert.strictEqual(headers.get("retry-after"), "1")
    assert.containSubset(body, { success: false, meta: { code: "TEMPORARILY_UNAVAILABLE" } })
  }
})

test("a cell that stops in the midst of its answer keeps nobody waiting for the rest", async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const frozen = await listening((_, response) => {
    response.once("close", leave)
    response.writeHead(200, { "content-length": "100" }).write("the first of it")
  })
  const front = await frontOf(
    { cells: new Map([["frozen", frozen]]), hosts: new Map(), otherwise: "frozen" },
    { ...defaults, idle: 50 }
  )
  const socket = connect(Number(front.port), front.hostname)
  socket.write("GET /v1/me HTTP/1.1\r\nHost: service.example\r\n\r\n")
  assert.match(await text(socket), /the first of it$/)
  await left
})
