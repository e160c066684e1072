/** Connections that are held, cut off or never read: most of them without any key. */
import { once } from "node:events"
import { type Attack, type Force, pause, spread, stay } from "../Attack.ts"
import { allTried, ask, occupy, open, post, read, type Request, written } from "../Request.ts"
import { everyCounty } from "../Scene.ts"
import { everywhere, polygonSearch } from "./HeavyReads.ts"

/** So many addresses for somebody without a key. */
const addresses = 20

const upgrade = [
  "GET /v1/me HTTP/1.1",
  "Host: service.example",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: c2FtcGxlIG5vbmNlIDE2IQ==",
  "",
  ""
].join("\r\n")

/** Reads one answer, sends all others 300 to a connection, and reads none of their answers. */
const unread = async (force: Force, request: Request): Promise<void> => {
  const first = await ask(force, 0, request)
  force.count(String(first?.status))
  const connections = Math.ceil(force.requests / 300)
  const each = Math.ceil(force.requests / connections)
  await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const socket = await open(force, n)
      force.count(socket === null ? "refused" : "open")
      if (socket === null) return
      socket.once("close", () => force.count("closed"))
      // Nothing has asked for data yet, so nothing is read.
      socket.write(written(request, force.bearers[n % force.bearers.length]).repeat(each))
    })
  )
  await stay(force)
}

/** Sends one piece now and another every half second, never all of it. */
const trickle = async (force: Force, start: string, piece: string): Promise<void> =>
  occupy(force, addresses, async (socket) => {
    socket.write(start)
    const drip = setInterval(() => socket.write(piece), 500)
    socket.once("close", () => clearInterval(drip))
  })

const largest = post("/properties/search", {
  filters: { countyFips: everyCounty },
  limit: 200,
  verbosity: "full"
})

/** Long ids that the service has to take in and to look for. */
const longest = post("/customer-accounts/sync", {
  accounts: Array.from({ length: 500 }, (_, row) => ({ property_id: `${row}-`.padEnd(390, "x"), status: "active" }))
})
const streetless = post("/properties/resolve", {
  rows: Array.from({ length: 100 }, (_, row) => ({ address: `${"Juniper ".repeat(20)}${row}` }))
})

/** The first headers of a search, as far as whose it is and what its body is. */
const searchOf = (bearer?: string): string =>
  "POST /v1/properties/search HTTP/1.1\r\nHost: service.example\r\n"
  + (bearer === undefined ? "" : `Authorization: Bearer ${bearer}\r\n`) + "Content-Type: application/json\r\n"

/** The rest of a request whose body does not end. */
const endless = "Content-Length: 1000000\r\n\r\n{"

/** The rest of one whose body comes in so many pieces. */
const inPieces = (count: number): string => `Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(count)}`

/** As many requests as are read at once. */
const shortest = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2000)

/** The same of those that a server of HTTP refuses before it asks anybody. */
const hostless = "GET / HTTP/1.1\r\n\r\n".repeat(3000)
const expecting = "GET / HTTP/1.1\r\nHost: a\r\nExpect: a\r\n\r\n".repeat(1600)

export const attacks: ReadonlyArray<Attack> = [
  {
    name: "largest answers, never read",
    by: "organization",
    meets: "200",
    organization: everywhere,
    run: (force) => unread(force, largest)
  },
  {
    name: "the API document, never read",
    by: "nobody",
    meets: "200",
    run: (force) => unread(force, read("/openapi.json"))
  },
  {
    name: "refusals, never read",
    by: "nobody",
    meets: "401",
    run: (force) => unread(force, read("/me"))
  },
  {
    name: "requests given up after they were sent",
    by: "organization",
    meets: "given up",
    organization: everywhere,
    run: (force) =>
      spread(force, 50, async (n) => {
        const key = n % force.bearers.length
        const socket = await open(force, key)
        if (socket === null) return force.count("refused")
        socket.write(written([longest, streetless][n % 3] ?? polygonSearch(n), force.bearers[key]))
        // Early, when it is read, and late, when it is worked on.
        await pause(force, n % 4 * 10)
        socket.destroy()
        force.count("given up")
      })
  },
  {
    name: "upgraded connections",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, 1, (socket) => void socket.write(upgrade))
  },
  {
    name: "idle connections of one address",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, 1, () => {})
  },
  {
    name: "idle connections of many addresses",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, addresses, () => {})
  },
  {
    name: "headers that do not end",
    by: "nobody",
    meets: allTried,
    run: (force) => trickle(force, "GET /v1/me HTTP/1.1\r\nHost: service.example\r\n", "X-More: a\r\n")
  },
  {
    name: "bodies that do not end",
    by: "nobody",
    meets: allTried,
    run: (force) => trickle(force, searchOf() + endless, " ")
  },
  {
    name: "bodies that do not end, with a key",
    by: "organization",
    meets: allTried,
    run: (force) =>
      occupy(force, force.bearers.length, (socket, n) => {
        socket.write(searchOf(force.bearers[n % force.bearers.length]) + endless)
      })
  },
  {
    name: "bodies in the smallest pieces, with a key",
    by: "organization",
    meets: allTried,
    run: (force) =>
      occupy(force, force.bearers.length, (socket, n) => {
        socket.write(searchOf(force.bearers[n % force.bearers.length]) + inPieces(1000))
      })
  },
  {
    name: "bodies in the smallest pieces",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, addresses, (socket) => void socket.write(searchOf() + inPieces(8000)))
  },
  {
    name: "two thousand requests in a piece",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, addresses, (socket) => void socket.write(shortest))
  },
  {
    name: "three thousand requests without a host in a piece",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, addresses, (socket) => void socket.write(hostless))
  },
  {
    name: "requests that expect something",
    by: "nobody",
    meets: allTried,
    run: (force) =>
      occupy(force, addresses, (socket) => {
        socket.resume()
        socket.on("drain", () => socket.write(expecting))
        socket.write(expecting)
      })
  },
  {
    name: "a crowd of addresses, each with one request",
    by: "nobody",
    meets: "answered",
    run: (force) =>
      spread(force, 50, async (n) => {
        const socket = await open(force, n)
        if (socket === null) return force.count("refused")
        socket.write(written(read("/me")))
        await once(socket, "data", { signal: force.signal }).then(
          () => force.count("answered"),
          () => force.count("cut")
        )
        socket.destroy()
      })
  },
  {
    name: "connections opened and dropped",
    by: "nobody",
    meets: allTried,
    run: (force) => occupy(force, addresses, (socket) => void socket.destroy())
  }
]
