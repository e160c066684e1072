/** Name servers on loopback that know of mail. */
import { assert, describe, it } from "@effect/vitest"
import { MailDomains } from "@freehold/core/research/MailDomains"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import * as MailExchange from "../../src/finder/MailExchange.ts"

const types = { a: 1, mx: 15 } as const

interface Entry {
  /** The exchangers that it names; `.`: the empty one. */
  readonly mx?: ReadonlyArray<string>
  readonly address?: boolean
  /** What the server says instead. */
  readonly fault?: number
}

const labelsOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").filter((label) => label !== "").map((label) =>
      Buffer.concat([Buffer.of(label.length), Buffer.from(label)])
    ),
    Buffer.of(0)
  ])

/** Answers a question about mail or an address, as RFC 1035 lays out; of a name that is not in the zone: there is none. */
const answer = (zone: Readonly<Record<string, Entry>>, query: Buffer): Buffer => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const entry = zone[labels.join(".").toLowerCase()]
  const mail = type === types.mx
    ? (entry?.mx ?? []).map((name) => Buffer.concat([Buffer.of(0, 10), labelsOf(name)]))
    : []
  const found = type === types.a && entry?.address === true ? [Buffer.of(192, 0, 2, 1)] : mail
  const records = found.map((data) =>
    Buffer.concat([Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length), data])
  )
  const code = entry === undefined ? 3 : entry.fault ?? 0
  const header = Buffer.of(query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0)
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}

const nameServer = (zone: Readonly<Record<string, Entry>>) =>
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

describe("MailExchange", () => {
  it.live("says whether a domain takes mail, and not more than the name servers say", () =>
    Effect.gen(function*() {
      const zone = {
        "mail.example": { mx: ["mx.mail.example"] },
        "refusing.example": { mx: ["."], address: true },
        "plain.example": { address: true },
        "bare.example": {},
        "broken.example": { fault: 2 }
      }
      const { address } = yield* nameServer(zone)
      const domains = [...Object.keys(zone), "nowhere.example"]
      const said = yield* MailDomains.use((mail) => Effect.forEach(domains, (domain) => mail.takesMail(domain))).pipe(
        Effect.provide(MailExchange.layer({ servers: [address] }), { local: true })
      )
      assert.deepStrictEqual(said, ["yes", "no", "yes", "no", "unknown", "no"])
    }))

  it.live("does not know where nobody is asked", () =>
    Effect.gen(function*() {
      const said = yield* MailDomains.use((mail) => mail.takesMail("mail.example")).pipe(
        Effect.provide(MailExchange.layerSilent, { local: true })
      )
      assert.strictEqual(said, "unknown")
    }))
})
