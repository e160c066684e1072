import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress } from "@freehold/core/webhook/PublicAddress"
import * as fc from "fast-check"

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "172.15.255.255",
    "172.32.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2A00:1450:4001:81B::200E",
    "3ffe:ffff::1",
    "64:ff9b::8.8.8.8",
    "64:ff9b::808:808"
  ])("accepts %s", (address) => {
    assert.isTrue(isPublicAddress(address))
  })

  it.each([
    ["this network", ["0.0.0.0", "0.1.2.3"]],
    ["private", ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"]],
    ["carrier-grade NAT", ["100.64.0.0", "100.127.255.255", "100.100.100.200"]],
    ["loopback", ["127.0.0.1", "127.255.255.255", "::1"]],
    ["link-local", ["169.254.169.254", "fe80::1", "febf::1"]],
    ["a cloud's host agent", ["168.63.129.16"]],
    ["protocol assignments", ["192.0.0.1", "192.0.0.192", "2001::1", "2001:1ff:ffff::1"]],
    ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1", "3fff:fff::1"]],
    ["benchmarking", ["198.18.0.0", "198.19.255.255", "2001:2::1"]],
    ["relays and sinks", ["192.88.99.1", "192.31.196.1", "192.52.193.1", "192.175.48.1", "2620:4f:8000::1"]],
    ["multicast and reserved", ["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1"]],
    ["unspecified and unique local", ["::", "fc00::1", "fd00:ec2::254"]],
    ["outside global unicast", ["1::1", "4000::1", "100::1", "100:0:0:1::1", "1fff:ffff::1", "fec0::1"]],
    ["IPv4-mapped and -compatible", [
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:8.8.8.8",
      "::127.0.0.1",
      "::808:808"
    ]],
    ["NAT64 of a private address", ["64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808"]],
    ["6to4 and Teredo", ["2002:7f00:1::", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"]]
  ])("refuses %s", (_name, addresses) => {
    assert.deepStrictEqual(addresses.filter(isPublicAddress), [])
  })

  it.each([
    "",
    "localhost",
    "8.8.8",
    "8.8.8.8.8",
    "8.8.8.08",
    "8.8.8.256",
    "0x8.8.8.8",
    " 8.8.8.8",
    "8.8.8.8/32",
    "2606:4700:4700::1111%eth0",
    "[2606:4700:4700::1111]",
    "2606:4700:4700:::1111",
    "2606::4700::1111",
    "2606:4700:4700:0:0:0:0:0:1111",
    "2606:4700:4700:0:0:0:1111",
    "2606:4700:4700:0:0:0:0::1111:1",
    "2606:47000::1",
    "2606:4700:8.8.8.8::1",
    "8.8.8.8::"
  ])("refuses what is no address: %j", (text) => {
    assert.isFalse(isPublicAddress(text))
  })

  it("agrees on every spelling of one IPv6 address", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((group) => group.toString(16).padStart(4, "0")).join(":")
      const host = URL.parse(`http://[${long}]/`)?.hostname ?? ""
      const compressed = host.slice(1, -1)
      assert.strictEqual(isPublicAddress(compressed), isPublicAddress(long))
      assert.strictEqual(isPublicAddress(long.toUpperCase()), isPublicAddress(long))
    }))
  })
})
