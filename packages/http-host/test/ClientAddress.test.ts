import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork } from "effect/net"
import { Socket } from "node:net"
import { ArrivedRequest } from "../src/ArrivedRequest.ts"
import { addressOf, forwarded, reader } from "../src/ClientAddress.ts"
import { GatheredRequest } from "../src/GatheredRequest.ts"

const networks = ["10.0.0.0/8", "fd00::/8"].map((text) => Result.getOrThrow(IpNetwork.fromString(text)))

const seen = (peer: string | null, forwardedFor: string | null) =>
  HttpServerRequest.HttpServerRequest.use((request) => Effect.succeed(HttpServerResponse.text(addressOf(request))))
    .pipe(
      forwarded(networks),
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(
          new Request(
            "http://host.example/",
            forwardedFor === null ? {} : { headers: { "x-forwarded-for": forwardedFor } }
          )
        ).modify({ remoteAddress: Option.fromNullishOr(peer) })
      ),
      Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).text()))
    )

/** A request of Node's that has arrived from the peer; null: its connection is gone. */
const arrived = (peer: string | null, headers: Readonly<Record<string, string>>) => {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: peer ?? undefined })
  const request = new GatheredRequest(socket)
  Object.assign(request.headers, headers)
  return new ArrivedRequest(request, {})
}

describe("ClientAddress", () => {
  for (
    const [what, peer, header, expected] of [
      ["the peer, without the header", "203.0.113.5", null, "203.0.113.5"],
      ["the peer, when it is no proxy of ours", "203.0.113.5", "198.51.100.7", "203.0.113.5"],
      ["what a proxy of ours saw", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
      [
        "the rightmost hop that is not ours, whatever the client wrote",
        "10.0.0.1",
        "6.6.6.6, 198.51.100.7, 10.9.9.9",
        "198.51.100.7"
      ],
      ["the leftmost hop, when all are ours", "10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
      ["an IPv4 peer that came as IPv6", "::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
      ["an IPv6 hop", "fd00::1", "2001:db8::7", "2001:db8::7"],
      ["the peer, when the header is no address", "10.0.0.1", "unknown", "10.0.0.1"],
      ["the peer, when the nearest entry is no address", "10.0.0.1", "198.51.100.7, <script>", "10.0.0.1"],
      ["nothing, when the connection is gone", null, "198.51.100.7", "unknown"]
    ] as const
  ) {
    it.effect(`counts by ${what}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* seen(peer, header), expected)
      }))

    it(`counts by ${what}, remembered too`, () => {
      const read = reader(networks)
      const asked = () => addressOf(read(arrived(peer, header === null ? {} : { "x-forwarded-for": header })))
      assert.deepStrictEqual([asked(), asked()], [expected, expected])
    })
  }

  it.effect("has the host that was dialled, whatever else the client wrote", () =>
    Effect.gen(function*() {
      const written = {
        host: "api.example",
        "x-forwarded-for": "198.51.100.7",
        "x-forwarded-host": "operator.example",
        "x-forwarded-proto": "http"
      }
      const read = reader(networks)
      // The second is remembered, the third is too long for that.
      const long = { ...written, "x-forwarded-for": `${"10.1.1.1, ".repeat(20)}198.51.100.7` }
      const told = ({ headers, protocol, remoteAddress }: HttpServerRequest.HttpServerRequest) => [
        Option.getOrNull(remoteAddress),
        headers["host"],
        protocol
      ]
      const expected = ["198.51.100.7", "api.example", undefined]
      for (const each of [written, written, long]) {
        assert.deepStrictEqual(told(read(arrived("10.0.0.1", each))), expected)
      }
      const framed: Array<ReturnType<typeof told>> = []
      yield* HttpServerRequest.HttpServerRequest.useSync((request) => {
        framed.push(told(request))
        return HttpServerResponse.empty()
      }).pipe(
        forwarded(networks),
        Effect.provideService(HttpServerRequest.HttpServerRequest, arrived("10.0.0.1", written))
      )
      assert.deepStrictEqual(framed, [expected])
    }))
})
