import { assert, describe, it } from "@effect/vitest"
import { HostResolver } from "@freehold/webhook-worker/HostResolver"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { isIPv6 } from "node:net"

type Zone = Record<string, ReadonlyArray<string>>

const noSuchName = 3
const recordTypes = { a: 1, aaaa: 28 } as const

/** The 16 bytes of an IPv6 address in its long form, or the 4 of an IPv4 address. */
const bytesOf = (address: string): Buffer =>
  isIPv6(address)
    ? Buffer.from(address.split(":").map((group) => group.padStart(4, "0")).join(""), "hex")
    : Buffer.from(address.split(".").map(Number))

/** Answers an A or AAAA question from `zone`, as RFC 1035 lays out. */
const answer = (zone: Zone, query: Buffer): Buffer => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const known = zone[labels.join(".").toLowerCase()]
  const records = (known ?? [])
    .filter((address) => (isIPv6(address) ? recordTypes.aaaa : recordTypes.a) === type)
    .map((address) => {
      const data = bytesOf(address)
      return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.byteLength]), data])
    })
  const code = known === undefined ? noSuchName : 0
  const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0])
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}

const nameServer = (zone: Zone) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly close: () => void; readonly address: string }>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => socket.send(answer(zone, query), from.port, from.address))
      socket.bind(0, "127.0.0.1", () =>
        resume(Effect.succeed({
          close: () => void socket.close(),
          address: `127.0.0.1:${socket.address().port}`
        })))
    }),
    ({ close }) => Effect.sync(close)
  )

const resolve = Effect.fnUntraced(function*(zone: Zone, hostname: string) {
  const { address } = yield* nameServer(zone)
  return yield* HostResolver.use((resolver) => resolver.resolve(hostname)).pipe(
    Effect.provide(HostResolver.layer({ servers: [address] }), { local: true })
  )
})

describe("HostResolver over name servers", () => {
  it.live("gives the addresses of both families, IPv4 first", () =>
    Effect.gen(function*() {
      const zone = { "receiver.example": ["2606:4700:0:0:0:0:0:1111", "8.8.8.8", "8.8.4.4"] }
      assert.deepStrictEqual(yield* resolve(zone, "receiver.example"), ["8.8.8.8", "8.8.4.4", "2606:4700::1111"])
    }))

  it.live("is content with one family", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* resolve({ "four.example": ["8.8.8.8"] }, "four.example"), ["8.8.8.8"])
      assert.deepStrictEqual(yield* resolve({ "six.example": ["2606:4700:0:0:0:0:0:1"] }, "six.example"), [
        "2606:4700::1"
      ])
    }))

  it.live("says that a name does not exist, or has no address", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(resolve({}, "nowhere.example"))
      assert.deepInclude(missing, { _tag: "HostUnresolved", hostname: "nowhere.example", code: "ENOTFOUND" })
      const empty = yield* Effect.flip(resolve({ "empty.example": [] }, "empty.example"))
      assert.deepInclude(empty, { _tag: "HostUnresolved", code: "ENODATA" })
    }))
})

describe("HostResolver over the operating system", () => {
  it.live("knows localhost", () =>
    Effect.gen(function*() {
      const resolver = yield* HostResolver
      assert.include(yield* resolver.resolve("localhost"), "127.0.0.1")
    }).pipe(Effect.provide(HostResolver.layerSystem)))
})
