import { assert, describe, it } from "@effect/vitest"
import { sign, standardHeaders } from "@freehold/webhook-worker/Signature"
import vectors from "@freehold/webhook-worker/signature-vectors.json" with { type: "json" }
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"

const bytes = (text: string) => new TextEncoder().encode(text)
const redacted = (secret: string) => Redacted.make(secret)

/** A second implementation from the specification's text, on WebCrypto; shares nothing with the signer. */
const independentHeader = async (secrets: ReadonlyArray<string>, timestamp: number, body: Uint8Array) => {
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const entries = await Promise.all(secrets.map(async (secret) => {
    const key = await crypto.subtle.importKey("raw", bytes(secret), hmac, false, ["sign"])
    const signed = new Blob([String(timestamp), ".", Uint8Array.from(body)])
    const tag = await crypto.subtle.sign("HMAC", key, await signed.arrayBuffer())
    return "v1=" + Array.from(new Uint8Array(tag), (byte) => byte.toString(16).padStart(2, "0")).join("")
  }))
  return `t=${timestamp},${entries.join(",")}`
}

const secret = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `whsec_${text}`)
const body = fc.uint8Array({ maxLength: 300 })
const time = fc.integer({ min: 0, max: 4_000_000_000 })

const flipped = (input: Uint8Array, bit: number): Uint8Array =>
  input.map((byte, index) => index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)

describe("signature vectors", () => {
  for (const { bodyBase64, header, name, secrets, timestamp } of vectors.vectors) {
    const content = Uint8Array.from(Buffer.from(bodyBase64, "base64"))

    it.effect(`agree with an independent implementation: ${name}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* Effect.promise(() => independentHeader(secrets, timestamp, content)), header)
      }))

    it(`are what the signer makes: ${name}`, () => {
      const [first = "", ...others] = secrets
      assert.strictEqual(sign([redacted(first), ...others.map(redacted)], timestamp, content), header)
    })

    it(`verify with each of their secrets: ${name}`, () => {
      for (const each of secrets) {
        assert.deepStrictEqual(verifySignature({ header, body: content, secret: each, now: timestamp }), {
          valid: true,
          timestamp
        })
      }
    })
  }

  it("hold their texts and bytes consistently", () => {
    for (const vector of vectors.vectors) {
      if (vector.body !== undefined) {
        assert.strictEqual(Buffer.from(vector.bodyBase64, "base64").toString("utf8"), vector.body)
      }
    }
  })
})

describe("vectors of Standard Webhooks", () => {
  for (const { bodyBase64, id, name, secrets, signature, timestamp } of vectors.standard.vectors) {
    const content = Uint8Array.from(Buffer.from(bodyBase64, "base64"))

    it(`are what the signer makes: ${name}`, () => {
      const [first = "", ...others] = secrets
      const all = [redacted(first), ...others.map(redacted)] as const
      assert.deepStrictEqual(standardHeaders({ secrets: all, id, unixSeconds: timestamp, body: content }), {
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signature
      })
    })

    it(`are what a library makes of their secrets: ${name}`, () => {
      const made = secrets.map((each) => {
        const key = Buffer.from(each.slice("whsec_".length), "base64").toString("base64")
        return new Webhook(key).sign(id, new Date(timestamp * 1000), Buffer.from(content).toString("utf8"))
      })
      assert.strictEqual(made.join(" "), signature)
    })
  }

  it.each(["made-up", "whsec_", "whsec_A", "whsec_c2hvcnQ=", `whsec_${"é".repeat(32)}`])(
    "hold no signature by %s, which encodes no key",
    (each) => {
      const signing = { id: "made-up", unixSeconds: 0, body: bytes("") }
      assert.deepStrictEqual(standardHeaders({ ...signing, secrets: [redacted(each)] }), {})
      const whole = redacted(`whsec_${"A".repeat(44)}`)
      assert.deepStrictEqual(
        standardHeaders({ ...signing, secrets: [redacted(each), whole] }),
        standardHeaders({ ...signing, secrets: [whole] })
      )
    }
  )
})

describe("sign and verifySignature", () => {
  it("verify what was signed", () => {
    fc.assert(fc.property(secret, time, body, (key, at, content) => {
      const header = sign([redacted(key)], at, content)
      assert.deepStrictEqual(verifySignature({ header, body: content, secret: key, now: at }), {
        valid: true,
        timestamp: at
      })
    }))
  })

  it("accept either secret during a rotation and no third one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }), body, ([a = "", b = "", c = ""], content) => {
        const header = sign([redacted(a), redacted(b)], 1000, content)
        const verdict = (key: string) => verifySignature({ header, body: content, secret: key, now: 1000 }).valid
        assert.deepStrictEqual([verdict(a), verdict(b), verdict(c)], [true, true, false])
      })
    )
  })

  it("refuse a body with any one bit flipped", () => {
    fc.assert(fc.property(secret, fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), (key, content, at) => {
      const header = sign([redacted(key)], 1000, content)
      const changed = flipped(content, at % (content.length * 8))
      assert.deepStrictEqual(verifySignature({ header, body: changed, secret: key, now: 1000 }), {
        valid: false,
        reason: "wrong_signature"
      })
    }))
  })

  it("refuse a header with any one bit flipped", () => {
    const content = bytes("{\"made\":\"up\"}")
    const header = bytes(sign([redacted("whsec_made-up")], 1_790_000_000, content))
    for (let bit = 0; bit < header.length * 8; bit++) {
      const changed = Buffer.from(flipped(header, bit)).toString("latin1")
      assert.isFalse(
        verifySignature({ header: changed, body: content, secret: "whsec_made-up", now: 1_790_000_000 }).valid,
        changed
      )
    }
  })

  it("refuse the secret without its prefix", () => {
    const content = bytes("{}")
    const header = sign([redacted("whsec_made-up")], 1000, content)
    assert.isFalse(verifySignature({ header, body: content, secret: "made-up", now: 1000 }).valid)
  })

  it.each([[-301, false], [-300, true], [0, true], [300, true], [301, false]])(
    "with a clock %d seconds off answer %s",
    (offset, valid) => {
      const content = bytes("{}")
      const header = sign([redacted("whsec_made-up")], 10_000, content)
      assert.deepStrictEqual(
        verifySignature({ header, body: content, secret: "whsec_made-up", now: 10_000 + offset }),
        valid ? { valid, timestamp: 10_000 } : { valid, reason: "outside_tolerance" }
      )
    }
  )

  it("take the receiver's clock and a tolerance of its own", () => {
    const content = bytes("{}")
    const header = sign([redacted("whsec_made-up")], Math.floor(Date.now() / 1000) - 60, content)
    const delivery = { header, body: content, secret: "whsec_made-up" }
    assert.isTrue(verifySignature(delivery).valid)
    assert.isFalse(verifySignature({ ...delivery, toleranceSeconds: 10 }).valid)
  })

  it.each([null, undefined, ""])("name a missing header: %s", (header) => {
    assert.deepStrictEqual(verifySignature({ header, body: bytes("{}"), secret: "whsec_made-up", now: 0 }), {
      valid: false,
      reason: "missing_header"
    })
  })

  const v1 = `v1=${"a".repeat(64)}`
  it.each([
    "nonsense",
    "t=1000",
    v1,
    `t=,${v1}`,
    `t=1000,t=1000,${v1}`,
    `t=-1000,${v1}`,
    `t=1e3,${v1}`,
    `t=1000.5,${v1}`,
    `t=0x3e8,${v1}`,
    `t=1000, ${v1}`,
    ` t=1000,${v1}`,
    `t=1000,${v1},`,
    `t=1000;${v1}`,
    "t=1000,v1=",
    `t=1000,v1=${"a".repeat(63)}`,
    `t=1000,v1=${"a".repeat(65)}`,
    `t=1000,v1=${"A".repeat(64)}`,
    `t=1000,v1=${"g".repeat(64)}`,
    `t=1000,${v1},v1=short`,
    `t=${"9".repeat(400)},${v1}`
  ])("refuse the malformed header %j", (header) => {
    assert.deepStrictEqual(verifySignature({ header, body: bytes("{}"), secret: "whsec_made-up", now: 1000 }), {
      valid: false,
      reason: "malformed_header"
    })
  })

  it("pass over entries of a scheme they do not know", () => {
    const content = bytes("{}")
    const header = `${sign([redacted("whsec_made-up")], 1000, content)},v2=later`
    assert.isTrue(verifySignature({ header, body: content, secret: "whsec_made-up", now: 1000 }).valid)
  })
})
