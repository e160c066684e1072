import { assert, describe, it } from "@effect/vitest"
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { isPublicAddress } from "@freehold/core/webhook/PublicAddress"
import { AddressGuard } from "@freehold/webhook-worker/AddressGuard"
import { HostResolver, HostUnresolved } from "@freehold/webhook-worker/HostResolver"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import ipaddr from "ipaddr.js"

const guardWith = (policy: TargetPolicy, names: Record<string, ReadonlyArray<string>>) =>
  AddressGuard.layerNoDeps({ policy }).pipe(Layer.provide(Layer.succeed(
    HostResolver,
    HostResolver.of({
      resolve: (hostname) => {
        const addresses = names[hostname]
        return addresses === undefined
          ? Effect.fail(new HostUnresolved({ hostname, code: "ENOTFOUND" }))
          : Effect.succeed(addresses)
      }
    })
  )))

const vet = (url: string) => AddressGuard.use((guard) => guard.vet(url))

describe("AddressGuard under the public policy", () => {
  it.effect("gives the addresses of a name", () =>
    Effect.gen(function*() {
      const target = yield* vet("https://receiver.example/hook")
      assert.deepStrictEqual(target.addresses, ["8.8.8.8", "2606:4700::1"])
      assert.strictEqual(target.hostname, "receiver.example")
    }).pipe(Effect.provide(guardWith("public", { "receiver.example": ["8.8.8.8", "2606:4700::1"] }))))

  it.effect("gives two addresses of each family at most", () =>
    Effect.gen(function*() {
      const target = yield* vet("https://many.example/")
      assert.deepStrictEqual(target.addresses, ["8.8.8.1", "8.8.8.2", "2606:4700::1", "2606:4700::2"])
    }).pipe(Effect.provide(guardWith("public", {
      "many.example": ["8.8.8.1", "8.8.8.2", "8.8.8.3", "2606:4700::1", "2606:4700::2", "2606:4700::3"]
    }))))

  it.effect("takes a public address literal as it is", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* vet("https://8.8.8.8/")).addresses, ["8.8.8.8"])
      assert.deepStrictEqual((yield* vet("https://[2606:4700::1]/")).addresses, ["2606:4700::1"])
    }).pipe(Effect.provide(guardWith("public", {}))))

  it.effect.each([
    "10.0.0.7",
    "8.8.8.8 127.0.0.1",
    "8.8.8.8 8.8.8.9 8.8.4.4 169.254.169.254",
    "8.8.8.8 fd00::1",
    "::ffff:127.0.0.1",
    "168.63.129.16"
  ])("refuses a name that leads to %s", (addresses) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(vet("https://receiver.example/"))
      assert.strictEqual(error._tag, "PrivateAddress")
      assert.include(error.message, "receiver.example resolves to")
    }).pipe(Effect.provide(guardWith("public", { "receiver.example": addresses.split(" ") }))))

  it.effect("refuses a URL that the rule refuses, without resolving it", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(vet("http://receiver.example/")))._tag, "TargetRefused")
      assert.strictEqual((yield* Effect.flip(vet("https://127.0.0.1/")))._tag, "TargetRefused")
    }).pipe(Effect.provide(guardWith("public", {}))))

  it.effect("says when a name does not resolve", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(vet("https://nowhere.example/")))._tag, "HostUnresolved")
    }).pipe(Effect.provide(guardWith("public", {}))))
})

describe("AddressGuard under the policy for development", () => {
  it.effect("lets private and loopback addresses pass", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* vet("http://receiver.example/")).addresses, ["127.0.0.1", "::1"])
      assert.deepStrictEqual((yield* vet("http://10.0.0.1:3000/")).addresses, ["10.0.0.1"])
    }).pipe(Effect.provide(guardWith("any", { "receiver.example": ["127.0.0.1", "::1"] }))))
})

describe("the table of public addresses, against ipaddr.js", () => {
  // What ipaddr.js calls unicast and is not public.
  const missed = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    address.kind() === "ipv4"
      ? address.toString() === "168.63.129.16"
      : (address.toByteArray()[0] ?? 0) >> 5 !== 1

  const wellKnownNat64 = ipaddr.parseCIDR("64:ff9b::/96")

  const expected = (bytes: ReadonlyArray<number>): boolean => {
    const address = ipaddr.fromByteArray([...bytes])
    // The well-known NAT64 prefix is judged by the IPv4 address inside.
    if (address.kind() === "ipv6" && address.match(wellKnownNat64)) return expected(bytes.slice(12))
    return address.range() === "unicast" && !missed(address)
  }
  const agrees = (bytes: ReadonlyArray<number>) => {
    const text = ipaddr.fromByteArray([...bytes]).toString()
    assert.strictEqual(isPublicAddress(text), expected(bytes), text)
  }
  const byte = fc.integer({ min: 0, max: 255 })

  it.each([
    ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"],
    ["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"],
    ["192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4"],
    ["240.0.0.0/4", "::/128", "::1/128", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"],
    ["100::/64", "100:0:0:1::/64", "2000::/3", "2001::/23", "2001::/32", "2001:2::/48", "2001:10::/28"],
    ["2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16"],
    ["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"]
  ].flat())("agrees on both ends of %s and on their neighbours", (cidr) => {
    const [base, prefix] = ipaddr.parseCIDR(cidr)
    const start = base.toByteArray()
    const bits = start.length * 8
    const first = start.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
    const last = first + (1n << BigInt(bits - prefix)) - 1n
    for (const value of [first - 1n, first, last, last + 1n]) {
      const wrapped = BigInt.asUintN(bits, value)
      agrees(start.map((_, index) => Number((wrapped >> BigInt(bits - 8 - index * 8)) & 255n)))
    }
  })

  it("agrees on any IPv4 address", () => {
    fc.assert(fc.property(fc.tuple(byte, byte, byte, byte), agrees), { numRuns: 5000 })
  })

  it("agrees on any IPv6 address, those with embedded IPv4 included", () => {
    const rest = (length: number) => fc.array(byte, { minLength: length, maxLength: length })
    const prefixes = [[], [0x20, 0x01], [0x20, 0x02], [0x3f, 0xff], [0x26], [
      0x00,
      0x64,
      0xff,
      0x9b,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0
    ], [
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0xff,
      0xff
    ]]
    fc.assert(
      fc.property(
        fc.constantFrom(...prefixes).chain((prefix) => rest(16 - prefix.length).map((tail) => [...prefix, ...tail])),
        agrees
      ),
      { numRuns: 5000 }
    )
  })
})
