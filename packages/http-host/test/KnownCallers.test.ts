/** Whose request it is, before it is admitted. */
import { assert, describe, it } from "vitest"
import * as KnownCallers from "../src/KnownCallers.ts"

const claim = (authorization: string | undefined, organization?: string) =>
  new KnownCallers.Claim(authorization, organization)

describe("KnownCallers", () => {
  it("tell the organization that a credential was let in for last, and of a person the one that is named", () => {
    const callers = KnownCallers.make()
    callers.remember(claim("Bearer one"), "org_a")
    callers.remember(claim("Bearer two", "org_b"), "org_b")
    callers.remember(claim(undefined), "org_c")
    assert.strictEqual(callers.find(claim("Bearer one")), "org_a")
    assert.strictEqual(callers.find(claim("Bearer two", "org_b")), "org_b")
    assert.isNull(callers.find(claim("Bearer two")))
    assert.isNull(callers.find(claim("Bearer three")))
    assert.isNull(callers.find(claim(undefined)))
  })

  it("forget who was let in longest ago", () => {
    const callers = KnownCallers.make()
    for (let n = 0; n < KnownCallers.capacity; n++) callers.remember(claim(`Bearer ${n}`), "org_a")
    callers.remember(claim("Bearer 0"), "org_a")
    callers.remember(claim("Bearer new"), "org_b")
    assert.strictEqual(callers.find(claim("Bearer 0")), "org_a")
    assert.isNull(callers.find(claim("Bearer 1")))
    assert.strictEqual(callers.find(claim("Bearer new")), "org_b")
  })

  it("read the headers as they came", () => {
    const { authorization, digest, organization } = KnownCallers.claimOf({
      authorization: "Bearer one",
      "freehold-organization": "org_a",
      host: "service.example"
    })
    assert.deepStrictEqual({ authorization, organization }, { authorization: "Bearer one", organization: "org_a" })
    assert.strictEqual(digest, claim("Bearer one", "org_a").digest)
    const nobody = KnownCallers.claimOf({ "freehold-organization": ["org_a", "org_b"] })
    assert.deepStrictEqual([nobody.authorization, nobody.organization, nobody.digest], [undefined, undefined, null])
  })

  it("take one credential for one, however it is sent", () => {
    const digestOf = (headers: Readonly<Record<string, string>>) => KnownCallers.claimOf(headers).digest
    const key = digestOf({ authorization: "Bearer fhk_one" })
    assert.isNotNull(key)
    assert.strictEqual(digestOf({ authorization: "bEARER   fhk_one ", "freehold-organization": "org_b" }), key)
    assert.strictEqual(digestOf({ authorization: "Bearer fhk_one", cookie: "freehold-8080=one" }), key)
    for (const name of ["__Host-freehold", "freehold-8080"]) {
      const session = digestOf({ cookie: `${name}=one` })
      assert.isNotNull(session)
      assert.notStrictEqual(digestOf({ cookie: `${name}=two` }), session)
      assert.strictEqual(
        digestOf({ cookie: `other=1; ${name}=one; ${name}-view=2`, "freehold-organization": "org_b" }),
        session
      )
    }
    assert.isNull(digestOf({ cookie: "freehold-1=any; freehold-8080=one" }))
    assert.isNull(digestOf({ cookie: "other=1" }))
    assert.isNull(digestOf({ authorization: "Bearer of two", cookie: "freehold-8080=one" }))
  })
})
