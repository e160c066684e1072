/** How many changes of itself an organization makes. */
import { assert, layer } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import * as Administration from "@freehold/core/administration/Administration"
import { AdministrationLog } from "@freehold/core/administration/AdministrationLog"
import * as KeyDesk from "@freehold/core/administration/KeyDesk"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"

const organization = defaults("org_restless")

const caller: KeyCaller = {
  kind: "key",
  credentialId: "key_restless",
  keyName: "sample",
  label: "sample",
  scopes: [],
  organization,
  territory: null,
  requestId: "request"
}

const actor = { kind: "member", id: "ana", name: "Ana" } as const

const changed = { action: "settings.changed", subject: { id: "s", name: "s" }, before: null, after: null } as const

/** So many changes, made now. */
const record = Effect.fnUntraced(function*(orgId: string, count: number) {
  const log = yield* AdministrationLog
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) =>
      log.record({
        id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
        orgId,
        actor,
        action: "key.changed",
        subjectId: "key",
        subjectName: "key",
        before: null,
        after: null,
        now
      })
  )
})

layer(MemoryPorts.layer)("an organization's changes of itself", (it) => {
  it.effect("are bounded within 24 hours, and what is refused is not begun", () =>
    Effect.gen(function*() {
      yield* Organizations.use((organizations) => organizations.save(organization))
      const { change } = yield* Administration.make
      let begun = 0
      const another = change(() => Effect.sync(() => [++begun, changed] as const))
      yield* record(organization.org_id, Administration.mostChanges - 1)
      yield* TestClock.adjust("1 hour")
      yield* another
      const refused = yield* Effect.flip(another)
      assert.strictEqual(refused._tag, "INVALID_ARGUMENTS")
      assert.match(refused.message, /^Expected at most 5000 changes/)
      assert.strictEqual(begun, 1)
      yield* TestClock.adjust("23 hours")
      yield* another
      assert.strictEqual(begun, 2)
    }).pipe(Effect.provideService(Caller, caller)))

  it.effect("do not keep a key from being revoked, however many there were", () =>
    Effect.gen(function*() {
      const besieged = { ...organization, org_id: "org_besieged" }
      yield* Organizations.use((organizations) => organizations.save(besieged))
      const { create, revoke } = yield* KeyDesk.make
      const asked = Effect.gen(function*() {
        const { key } = yield* create({ name: "runaway", scopes: ["data:read"] })
        yield* record(besieged.org_id, Administration.mostChanges)
        assert.strictEqual(
          (yield* Effect.flip(create({ name: "another", scopes: ["data:read"] })))._tag,
          "INVALID_ARGUMENTS"
        )
        return yield* revoke({ credential_id: key.credential_id })
      })
      const revoked = yield* Effect.provideService(asked, Caller, { ...caller, organization: besieged })
      assert.strictEqual(revoked.status, "revoked")
      const [last] = yield* AdministrationLog.use((log) => log.list({ orgId: besieged.org_id, after: null, limit: 1 }))
      assert.strictEqual(last?.action, "key.revoked")
    }))
})
