/**
 * The operator's commands about keys: create, list, revoke, allow a scope, set a daily limit, rotate, expire.
 *
 * Implements operator.md (`freehold key ...`), service-api "Credential (API key)" and decisions, section 18. A secret is
 * answered once, by `create`, and never kept.
 */
import { Clock, Duration, Effect, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { within } from "../operation/Characters.ts"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { addedOnly, type Scope } from "../operation/Scope.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { DailyLimitKind } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as ApiKey from "./ApiKey.ts"
import type { KeyDailyLimits } from "./KeyDailyLimits.ts"
import { type Credential, KeyRing } from "./KeyRing.ts"
import { named } from "./NamedKey.ts"

const nameTaken = "Another active key has this name, by which documents of apply find it"

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const keys = yield* KeyRing
  const random = yield* SecureRandom.SecureRandom
  const generate = ApiKey.generate.pipe(
    Effect.provideService(SecureRandom.SecureRandom, random),
    Effect.provideService(ApiKey.Cell, yield* ApiKey.Cell)
  )
  const digest = yield* Digest.Digest

  const known = Effect.fnUntraced(function*(orgId: string) {
    if (Option.isNone(yield* organizations.find(orgId))) {
      return yield* invalid("org", "There is no such organization")
    }
  })

  const live = Effect.fnUntraced(function*(
    found: Option.Option<Credential>
  ): Effect.fn.Return<Credential, InvalidInput> {
    if (Option.isNone(found)) return yield* invalid("id", "There is no such key")
    if (found.value.status !== "active") return yield* invalid("id", `This key is ${found.value.status}`)
    return found.value
  })

  const ahead = Effect.fnUntraced(function*(field: string, at: number): Effect.fn.Return<number, InvalidInput> {
    return at > (yield* Clock.currentTimeMillis) ? at : yield* invalid(field, "Expected a time that is still to come")
  })

  /** Makes a key; its secret is known here and nowhere else. */
  const create = Effect.fn("Keys.create")(function*(request: {
    readonly orgId: string
    readonly name: string
    readonly scopes: ReadonlyArray<Scope>
    readonly dailyLimits: KeyDailyLimits
    /** Milliseconds; absent: it does not expire. */
    readonly expiresAt?: number
  }) {
    if (!within(request.name, 1, maximumKeyName)) {
      return yield* invalid("name", `Expected 1 to ${maximumKeyName} characters`)
    }
    const refused = request.scopes.find((scope) => addedOnly.includes(scope))
    if (refused !== undefined) {
      return yield* invalid("scopes", `${refused} is not chosen at creation; add it with 'key allow'`)
    }
    yield* known(request.orgId)
    const other = named(yield* keys.list(request.orgId), request.name)
    if (other?.status === "active") return yield* invalid("name", nameTaken)
    const secret = yield* generate
    const credential = yield* keys.create({
      credentialId: yield* random.uuidV7(),
      orgId: request.orgId,
      name: request.name,
      label: ApiKey.label(request.name, secret),
      secretHash: yield* ApiKey.hashBy(digest, secret),
      scopes: [...new Set(request.scopes)],
      dailyLimits: request.dailyLimits,
      ...request.expiresAt === undefined ? {} : { expiresAt: yield* ahead("expires", request.expiresAt) }
    }).pipe(
      // It cannot be: the secret is 32 random bytes.
      Effect.catchTag("SecretInUse", Effect.die)
    )
    return { credential, secret }
  })

  /** All keys of an organization, oldest first. */
  const list = Effect.fn("Keys.list")(function*(orgId: string) {
    yield* known(orgId)
    return yield* keys.list(orgId)
  })

  /** Revokes a key for good; repeating it answers the same. */
  const revoke = Effect.fn("Keys.revoke")(function*(credentialId: string) {
    const revoked = yield* keys.revoke(credentialId)
    return Option.isSome(revoked) ? revoked.value : yield* invalid("id", "There is no such key")
  })

  /** Adds a scope to an existing key. */
  const allow = Effect.fn("Keys.allow")(function*(
    credentialId: string,
    scope: Scope
  ): Effect.fn.Return<Credential, InvalidInput | TemporarilyUnavailable> {
    const key = yield* live(yield* keys.update(credentialId, {}))
    if (key.scopes.includes(scope)) return key
    return yield* live(yield* keys.update(credentialId, { scopes: [...key.scopes, scope] }))
  })

  /** Sets or, with null, lifts one daily limit of a key; 0 pauses that kind. */
  const setLimit = Effect.fn("Keys.setLimit")(function*(
    credentialId: string,
    kind: DailyLimitKind,
    limit: number | null
  ): Effect.fn.Return<Credential, InvalidInput | TemporarilyUnavailable> {
    const key = yield* live(yield* keys.update(credentialId, {}))
    return yield* live(yield* keys.update(credentialId, { dailyLimits: { ...key.dailyLimits, [kind]: limit } }))
  })

  /**
   * Gives a key another secret, which is known here and nowhere else; the present one works beside it for `overlap`, so that
   * whoever calls can change it without a gap. Limits and counters stay those of the key.
   */
  const rotate = Effect.fn("Keys.rotate")(function*(credentialId: string, overlap: Duration.Duration) {
    const key = yield* live(yield* keys.update(credentialId, {}))
    const secret = yield* Effect.provideService(ApiKey.generate, SecureRandom.SecureRandom, random)
    const rotated = yield* keys.rotate(key.credentialId, {
      secretHash: yield* ApiKey.hashBy(digest, secret),
      label: ApiKey.label(key.name, secret),
      until: Math.trunc((yield* Clock.currentTimeMillis) + Duration.toMillis(overlap))
    })
    return { credential: yield* live(rotated), secret }
  })

  /**
   * Sets when a key expires, in milliseconds, or with null that it does not; one that has expired works again, within the
   * rules for a new one.
   */
  const expire = Effect.fn("Keys.expire")(function*(credentialId: string, at: number | null) {
    const found = yield* keys.update(credentialId, {})
    if (Option.isNone(found)) return yield* invalid("id", "There is no such key")
    if (found.value.status === "revoked") return yield* invalid("id", "This key is revoked")
    const end = at === null ? null : yield* ahead("time", at)
    const { name, orgId, status } = found.value
    if (status === "expired" && named(yield* keys.list(orgId), name)?.status === "active") {
      return yield* invalid("id", nameTaken)
    }
    const expiring = yield* keys.expire(credentialId, end)
    return Option.isSome(expiring) ? expiring.value : yield* invalid("id", "There is no such key")
  })

  return { create, list, revoke, allow, setLimit, rotate, expire }
})

/** A key's name is at most this long. service-api "Structural limits". */
export const maximumKeyName = 120
