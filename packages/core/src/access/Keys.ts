/**
 * The operator's commands about keys: create, list, revoke, allow a scope, set a daily limit.
 *
 * Implements operator.md (`freehold key ...`), service-api "Credential (API key)" and decisions, section 18. A secret is
 * answered once, by `create`, and never kept.
 */
import { Effect, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import { addedOnly, type Scope } from "../operation/Scope.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { DailyLimitKind } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as ApiKey from "./ApiKey.ts"
import type { KeyDailyLimits } from "./KeyDailyLimits.ts"
import { type Credential, KeyRing } from "./KeyRing.ts"

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
    if (found.value.status === "revoked") return yield* invalid("id", "This key is revoked")
    return found.value
  })

  /** Makes a key; its secret is known here and nowhere else. */
  const create = Effect.fn("Keys.create")(function*(request: {
    readonly orgId: string
    readonly name: string
    readonly scopes: ReadonlyArray<Scope>
    readonly dailyLimits: KeyDailyLimits
  }) {
    if (request.name.length < 1 || request.name.length > maximumKeyName) {
      return yield* invalid("name", `Expected 1 to ${maximumKeyName} characters`)
    }
    const refused = request.scopes.find((scope) => addedOnly.includes(scope))
    if (refused !== undefined) {
      return yield* invalid("scopes", `${refused} is not chosen at creation; add it with 'key allow'`)
    }
    yield* known(request.orgId)
    const secret = yield* generate
    const credential = yield* keys.create({
      credentialId: yield* random.uuidV7(),
      orgId: request.orgId,
      name: request.name,
      label: ApiKey.label(request.name, secret),
      secretHash: yield* Effect.provideService(ApiKey.hash(secret), Digest.Digest, digest),
      scopes: [...new Set(request.scopes)],
      dailyLimits: request.dailyLimits
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

  return { create, list, revoke, allow, setLimit }
})

/** A key's name is at most this long. service-api "Structural limits". */
export const maximumKeyName = 120
