import { assert, describe, it } from "@effect/vitest"
import { addressKey, AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { addressLimiterContract } from "@freehold/core/testing/AddressLimiterContract"

addressLimiterContract("in one process", AddressLimiter.layer)

describe("addressKey", () => {
  it("names one address in one way", () => {
    assert.strictEqual(addressKey("::ffff:192.0.2.7"), "192.0.2.7")
    assert.strictEqual(addressKey("2001:0DB8::1"), addressKey("2001:db8:0:0:1:2:3:4"))
    assert.strictEqual(addressKey("::1"), "0:0:0:0::/64")
    assert.strictEqual(addressKey("fe80::1%eth0"), "fe80:0:0:0::/64")
  })
})
