/**
 * What every `AdministrationLog` must do. Adapters call `administrationLogContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Duration, Effect, type Layer } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { AdministrationLog, retention } from "../administration/AdministrationLog.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

const noon = Date.UTC(2026, 2, 30, 12)

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

const arrange = Effect.gen(function*() {
  const orgId = `org_administration_${++made}`
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  const log = yield* AdministrationLog
  return {
    orgId,
    record: (name: string, now = noon, kind: EntryActor["kind"] = "member") => {
      const id = uuid()
      return Effect.as(
        log.record({
          id,
          orgId,
          actor: { kind, id: "ana", name: "Ana" },
          action: "key.changed",
          subjectId: "key",
          subjectName: name,
          before: { scopes: ["mcp"], contact_reveal: null },
          after: { scopes: [], contact_reveal: 5 },
          now
        }),
        id
      )
    },
    names: (after: string | null = null, limit = 10) =>
      Effect.map(
        log.list({ orgId, after, limit }),
        (entries) => entries.map(({ subjectName }) => subjectName)
      )
  }
})

/** What any `AdministrationLog` does. */
export const administrationLogContract = <E>(
  name: string,
  adapters: Layer.Layer<AdministrationLog | Organizations, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`AdministrationLog ${name}`, (it) => {
    it.effect("counts the young entries of an organization, as far as asked, without those of the operator", () =>
      Effect.gen(function*() {
        const { orgId, record } = yield* arrange
        const other = yield* arrange
        yield* other.record("another's")
        for (const [index, age] of [2000, 1000, 1, 0].entries()) yield* record(`${index}`, noon - age)
        for (let index = 0; index < 3; index++) yield* record("the operator's", noon, "operator")
        const log = yield* AdministrationLog
        const young = (since: number, atMost = 10) => log.countSince({ orgId, since, atMost })
        assert.deepStrictEqual(
          [yield* young(noon - 3000), yield* young(noon - 1000), yield* young(noon), yield* young(0, 3)],
          [4, 2, 0, 3]
        )
      }))

    it.effect("keeps who changed what, before and after", () =>
      Effect.gen(function*() {
        const { orgId, record } = yield* arrange
        const id = yield* record("one")
        const log = yield* AdministrationLog
        assert.deepStrictEqual(yield* log.list({ orgId, after: null, limit: 10 }), [{
          id,
          at: "2026-03-30T12:00:00.000Z",
          actor: { kind: "member", id: "ana", name: "Ana" },
          action: "key.changed",
          subjectId: "key",
          subjectName: "one",
          before: { scopes: ["mcp"], contact_reveal: null },
          after: { scopes: [], contact_reveal: 5 }
        }])
      }))

    it.effect("pages from the newest on, and keeps organizations apart", () =>
      Effect.gen(function*() {
        const one = yield* arrange
        const other = yield* arrange
        yield* one.record("one")
        const second = yield* one.record("two")
        yield* one.record("three")
        const foreign = yield* other.record("theirs")
        assert.deepStrictEqual(yield* one.names(null, 2), ["three", "two"])
        assert.deepStrictEqual(yield* one.names(second), ["one"])
        assert.deepStrictEqual(yield* one.names(foreign), [])
        assert.deepStrictEqual(yield* other.names(), ["theirs"])
      }))

    it.effect("forgets what is older than its retention", () =>
      Effect.gen(function*() {
        const { names, record } = yield* arrange
        yield* record("old")
        yield* record("kept", noon + 1)
        yield* record("new", noon + Duration.toMillis(retention))
        assert.deepStrictEqual(yield* names(), ["new", "kept"])
      }))

    it.effect("has nothing of a change that was taken back", () =>
      Effect.gen(function*() {
        const { names, orgId, record } = yield* arrange
        const organizations = yield* Organizations
        yield* Effect.flip(organizations.atomically(Effect.gen(function*() {
          yield* organizations.save({ ...defaults(orgId), name: "Changed" })
          yield* record("taken back")
          return yield* Effect.fail("no")
        })))
        assert.deepStrictEqual(yield* names(), [])
      }))
  })
