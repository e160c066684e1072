/** What every `OperatorLog` must do. Adapters call `operatorLogContract` from their own tests. All data is made up. */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { OperatorLog } from "../administration/OperatorLog.ts"

const uuid = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`

/** The suite for an adapter of `OperatorLog`, over a log in which nothing stands. */
export const operatorLogContract = <E>(name: string, adapters: Layer.Layer<OperatorLog, E>): void =>
  suite(adapters, { excludeTestServices: true })(`OperatorLog ${name}`, (it) => {
    it.effect("lists who did what and why, newest first, page by page, of all or of one organization", () =>
      Effect.gen(function*() {
        const log = yield* OperatorLog
        const at = Date.UTC(2026, 2, 30)
        for (let index = 0; index < 5; index++) {
          yield* log.record({
            id: uuid(index),
            actor: "sample-operator",
            action: "org.suspended",
            orgId: index % 2 === 0 ? "org_even" : null,
            subject: `subject ${index}`,
            before: index === 0 ? { status: "active", credits: null } : null,
            after: index === 0 ? { status: "suspended" } : null,
            reason: index === 0 ? "an unpaid invoice" : null,
            now: at
          })
        }
        const subjects = (after: string | null, limit: number, orgId?: string) =>
          Effect.map(
            log.list({ after, limit, ...orgId === undefined ? {} : { orgId } }),
            (entries) => entries.map(({ subject }) => Number(subject.slice(-1)))
          )
        assert.deepStrictEqual(yield* subjects(null, 2), [4, 3])
        assert.deepStrictEqual(yield* subjects(uuid(3), 10), [2, 1, 0])
        assert.deepStrictEqual(yield* subjects(null, 10, "org_even"), [4, 2, 0])
        assert.deepStrictEqual(yield* subjects(uuid(4), 1, "org_even"), [2])
        assert.deepStrictEqual(yield* subjects(uuid(9), 10), [])
        assert.deepStrictEqual(yield* log.list({ after: uuid(1), limit: 1 }), [{
          id: uuid(0),
          at: "2026-03-30T00:00:00.000Z",
          actor: "sample-operator",
          action: "org.suspended",
          orgId: "org_even",
          subject: "subject 0",
          before: { status: "active", credits: null },
          after: { status: "suspended" },
          reason: "an unpaid invoice"
        }])
      }))
  })
