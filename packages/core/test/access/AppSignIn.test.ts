/** Signing in by the authorization server, and changing the organization: what is refused, and what is left as it was. */
import { assert, describe, it } from "@effect/vitest"
import { AccountStanding } from "@freehold/core/access/AccountStanding"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { IdentityProvider } from "@freehold/core/access/IdentityProvider"
import type { KnownPerson } from "@freehold/core/access/Sessions"
import * as SessionsMemory from "@freehold/core/memory/access/SessionsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Layer, Logger, Option, Redacted, References } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

const email = "ana@people.example"

/** Ana is a member of the first two organizations, and of the third nobody is. */
const orgIds = ["org_first", "org_second", "org_third"] as const

const seeded = Organizations.use((organizations) =>
  Effect.forEach(orgIds, (orgId, index) =>
    Effect.andThen(
      organizations.save(defaults(orgId)),
      index === 2 ? Effect.void : organizations.saveMember(
        orgId,
        member({ memberId: `00000000-0000-4000-8000-00000000000${index}`, email })
      )
    ), { discard: true })
)

/** Signs in whoever the authorization server makes known. `suspended`: by the accounts elsewhere. */
const arrange = Effect.fnUntraced(function*(suspended: ReadonlySet<string> = new Set()) {
  let known: KnownPerson
  const provider = Layer.succeed(
    IdentityProvider,
    Option.some({
      host: "issuer.example",
      begin: () => Effect.die("nobody begins here"),
      finish: () => Effect.succeed({ person: known, to: "/" }),
      leave: () => Effect.succeed(null)
    })
  )
  const standing = Layer.succeed(
    AccountStanding,
    Option.some({
      isClosed: () => Effect.succeed(false),
      isSuspended: (orgId: string) => Effect.succeed(suspended.has(orgId))
    })
  )
  const context = yield* Layer.build(
    AppSignIn.layer.pipe(
      Layer.provide([provider, standing, Digest.layerWebCrypto, SecureRandom.layerWebCrypto]),
      Layer.provideMerge(Layer.merge(SessionsMemory.layer, OrganizationsMemory.layer)),
      Layer.provide(MemoryState.layer)
    )
  )
  yield* Effect.provide(seeded, context)
  const signIn = yield* Effect.provide(AppSignIn, context)
  const enter = (given: Pick<KnownPerson, "subject" | "email">) =>
    Effect.suspend(() => {
      known = { issuer: "https://issuer.example", orgId: null, signOutHint: null, ...given }
      return signIn.finish({ attempt: Redacted.make(""), query: "", userAgent: null, requestId: "request" })
    })
  return { signIn, enter }
})

describe("AppSignIn", () => {
  it.effect("tells whoever has no confirmed address so, a member's or nobody's, and logs the subject", () =>
    Effect.gen(function*() {
      const { enter } = yield* arrange()
      const lines: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      const refusalOf = (given: Parameters<typeof enter>[0]) =>
        Effect.map(Effect.flip(enter(given)), ({ _tag }) => _tag).pipe(Effect.provide(logger))
      assert.strictEqual(yield* refusalOf({ subject: "subject-7", email: null }), "ADDRESS_UNCONFIRMED")
      assert.match(lines.join(), /no email address that the authorization server confirms: subject subject-7$/)
      assert.strictEqual(yield* refusalOf({ subject: "subject-8", email: "nobody@people.example" }), "NOT_A_MEMBER")
      yield* enter({ subject: "ana", email })
      assert.strictEqual((yield* enter({ subject: "ana", email: null })).to, "/", "known by the subject")
    }))

  it.effect("logs so many of them in a second, and tells with the next one how many it left out", () =>
    Effect.gen(function*() {
      const { enter } = yield* arrange()
      const leftOut: Array<unknown> = []
      const logger = Logger.layer([
        Logger.make(({ fiber }) => void leftOut.push(fiber.getRef(References.CurrentLogAnnotations)["left_out"]))
      ])
      const refused = Effect.flip(enter({ subject: "subject-7", email: null })).pipe(Effect.provide(logger))
      for (let each = 0; each < 13; each++) yield* refused
      assert.deepStrictEqual(leftOut, Array.from({ length: 10 }, () => undefined))
      yield* TestClock.adjust("1 second")
      yield* refused
      assert.strictEqual(leftOut.at(-1), 3)
    }))

  it.effect("leaves the session as it is where another organization may not be entered", () =>
    Effect.gen(function*() {
      const { enter, signIn } = yield* arrange(new Set(["org_second"]))
      const { caller, secret } = yield* enter({ subject: "ana", email })
      assert.strictEqual(caller.organization.org_id, "org_first")
      for (const [to, code] of [["org_second", "ORG_SUSPENDED"], ["org_third", "NOT_A_MEMBER"]] as const) {
        assert.strictEqual((yield* Effect.flip(signIn.change(caller, to)))._tag, code)
        const still = yield* signIn.admit({ session: secret, requestId: "request" })
        assert.strictEqual(still.organization.org_id, "org_first")
      }
    }))
})
