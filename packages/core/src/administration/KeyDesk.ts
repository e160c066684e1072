/** An organization's admins make, change and revoke its keys. */
import { Clock, DateTime, Effect, Option, Redacted } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { type Credential, KeyRing, maximumActiveKeys } from "../access/KeyRing.ts"
import * as Keys from "../access/Keys.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { addedOnly, minimumPlan, optIn, Scope } from "../operation/Scope.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import * as Administration from "./Administration.ts"
import type { ChangeKey, CreateKey, ListKeys, RevokeKey } from "./KeyOperations.ts"
import { limitsOf, settingsOf } from "./KeySettings.ts"

const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null

const viewOf = (key: Credential, lastUsedAt: number | null) => ({
  credential_id: key.credentialId,
  name: key.name,
  label: key.label,
  scopes: key.scopes,
  status: key.status,
  daily_limits: limitsOf(key),
  created_at: key.createdAt.toISOString(),
  revoked_at: isoOrNull(key.revokedAt),
  expires_at: isoOrNull(key.expiresAt),
  previous_until: isoOrNull(key.previousUntil),
  last_used_at: lastUsedAt === null ? null : DateTime.formatIso(DateTime.makeUnsafe(lastUsedAt))
})

const subjectOf = (key: Credential) => ({ id: key.credentialId, name: key.label })

/** Every scope, and how it is chosen. */
const choices = Scope.literals.map((scope) => ({
  scope,
  choice: addedOnly.includes(scope)
    ? "added_only" as const
    : optIn.includes(scope)
    ? "opt_in" as const
    : "offered" as const,
  plan: minimumPlan[scope]
}))

export const make = Effect.gen(function*() {
  const ring = yield* KeyRing
  const keys = yield* Keys.make
  const { change, end } = yield* Administration.make

  const shown = Effect.fnUntraced(function*(key: Credential) {
    const { lastUsedAt } = yield* ring.requests(key.orgId, yield* Clock.currentTimeMillis)
    return viewOf(key, lastUsedAt.get(key.credentialId) ?? null)
  })

  /** The key of the organization; a key of another one is none. */
  const own = Effect.fnUntraced(function*(id: string, orgId: string) {
    const found = yield* ring.update(id, {}, orgId)
    return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "key" })
  })

  const list: HandlerOf<typeof ListKeys> = Effect.fn("KeyDesk.list")(function*() {
    const { organization: { org_id: orgId } } = yield* Caller
    const found = yield* ring.list(orgId)
    const { lastUsedAt } = yield* ring.requests(orgId, yield* Clock.currentTimeMillis)
    return {
      keys: found.map((key) => viewOf(key, lastUsedAt.get(key.credentialId) ?? null)),
      maximum_active: maximumActiveKeys,
      scopes: choices,
      kinds: DailyLimitKind.literals
    }
  })

  const create: HandlerOf<typeof CreateKey> = Effect.fn("KeyDesk.create")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { credential, secret } = yield* keys.create({
        orgId,
        name: input.name,
        scopes: input.scopes,
        dailyLimits: input.daily_limits ?? {}
      })
      return [
        { key: viewOf(credential, null), secret: Redacted.value(secret) },
        { action: "key.created", subject: subjectOf(credential), before: null, after: settingsOf(credential) }
      ]
    }))
  )

  const update: HandlerOf<typeof ChangeKey> = Effect.fn("KeyDesk.update")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const id = input.credential_id.toLowerCase()
      const before = yield* own(id, orgId)
      if (before.status === "revoked") return yield* invalid("credential_id", "This key is revoked")
      const after = Option.getOrElse(
        yield* ring.update(id, {
          scopes: [...new Set(input.scopes ?? before.scopes)],
          dailyLimits: { ...before.dailyLimits, ...input.daily_limits }
        }, orgId),
        () => before
      )
      const difference = Administration.differenceOf(settingsOf(before), settingsOf(after))
      return [
        yield* shown(after),
        difference === null ? null : { action: "key.changed", subject: subjectOf(after), ...difference }
      ]
    }))
  )

  const revoke: HandlerOf<typeof RevokeKey> = Effect.fn("KeyDesk.revoke")((input) =>
    end(Effect.fnUntraced(function*({ org_id: orgId }) {
      const id = input.credential_id.toLowerCase()
      const before = yield* own(id, orgId)
      const after = Option.getOrElse(yield* ring.revoke(id, orgId), () => before)
      return [
        yield* shown(after),
        before.status === "revoked" ? null : {
          action: "key.revoked",
          subject: subjectOf(after),
          before: { status: "active" },
          after: { status: "revoked" }
        }
      ]
    }))
  )

  return { list, create, update, revoke }
})
