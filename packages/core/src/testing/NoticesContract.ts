/**
 * What every `Notices` must do. Adapters call `noticesContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Duration, Effect, type Layer } from "effect"
import { Notices, retention } from "../notice/Notices.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

const noon = Date.UTC(2026, 2, 30, 12)
const day = 86_400_000

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

const arrange = Effect.gen(function*() {
  const orgId = `org_notices_${++made}`
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  const notices = yield* Notices
  return {
    orgId,
    record: (cause: string, now: number) =>
      notices.record({ id: uuid(), orgId, kind: "viewing_paused", cause, text: `About ${cause}`, now }),
    texts: Effect.map(
      notices.list({ orgId, limit: 10, offset: 0 }),
      ({ notices, total }) => [total, ...notices.map(({ text }) => text)]
    )
  }
})

/** The suite for an adapter of `Notices`. */
export const noticesContract = <E>(name: string, adapters: Layer.Layer<Notices | Organizations, E>): void =>
  suite(adapters, { excludeTestServices: true })(`Notices ${name}`, (it) => {
    it.effect("tells a cause once a UTC day, newest first", () =>
      Effect.gen(function*() {
        const { record, texts } = yield* arrange
        assert.isTrue(yield* record("ana", noon))
        assert.isFalse(yield* record("ana", noon + 11 * 3_600_000))
        assert.isTrue(yield* record("ben", noon + 1))
        assert.isTrue(yield* record("ana", noon + 12 * 3_600_000))
        assert.deepStrictEqual(yield* texts, [3, "About ana", "About ben", "About ana"])
      }))

    it.effect("pages, and keeps organizations apart unless all are asked for", () =>
      Effect.gen(function*() {
        const notices = yield* Notices
        const one = yield* arrange
        const other = yield* arrange
        yield* one.record("ana", noon)
        yield* one.record("ben", noon + 1)
        yield* other.record("cid", noon + 2)
        const page = yield* notices.list({ orgId: one.orgId, limit: 1, offset: 1 })
        assert.deepStrictEqual([page.total, ...page.notices.map(({ text }) => text)], [2, "About ana"])
        const { notices: all } = yield* notices.list({ orgId: null, limit: 1000, offset: 0 })
        const mine = all.filter(({ orgId }) => orgId === one.orgId || orgId === other.orgId)
        assert.deepStrictEqual(mine.map(({ text }) => text), ["About cid", "About ben", "About ana"])
      }))

    it.effect("forgets what is older than its retention", () =>
      Effect.gen(function*() {
        const { record, texts } = yield* arrange
        yield* record("ana", noon)
        yield* record("ben", noon + day)
        yield* record("cid", noon + Duration.toMillis(retention))
        assert.deepStrictEqual(yield* texts, [2, "About cid", "About ben"])
      }))
  })
