/**
 * What every `Organizations` must do. Adapters call `organizationsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { defaults } from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import { member } from "./Seed.ts"

let made = 0
const fresh = () => defaults(`org_${String(++made).padStart(4, "0")}`)

const joining = (email: string, given: Partial<Member> = {}): Member =>
  member({ memberId: `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`, email, ...given })

/** `layer` holds an empty store. */
export const organizationsContract = <E>(name: string, layer: Layer.Layer<Organizations, E>): void => {
  suite(layer, { excludeTestServices: true })(`${name}: organizations`, (it) => {
    it.effect("are created, changed and left alone, and say so", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const organization = fresh()
        assert.isTrue(Option.isNone(yield* organizations.find(organization.org_id)))
        assert.strictEqual(yield* organizations.save(organization), "created")
        assert.strictEqual(yield* organizations.save({ ...organization }), "unchanged")
        const changed = { ...organization, daily_limits: { contact_reveal: { organization: 0, service: null } } }
        assert.strictEqual(yield* organizations.save(changed), "changed")
        assert.strictEqual(yield* organizations.save(changed), "unchanged")
        assert.deepStrictEqual(yield* organizations.find(organization.org_id), Option.some(changed))
      }))

    it.effect("are listed by id", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const prefix = fresh().org_id
        for (const id of ["b", "A", "a", "B"]) yield* organizations.save(defaults(`${prefix}${id}`))
        const ids = (yield* organizations.list).map(({ org_id }) => org_id).filter((id) => id.startsWith(prefix))
        assert.deepStrictEqual(ids, ["A", "B", "a", "b"].map((id) => `${prefix}${id}`))
      }))

    it.effect("are found by a part of the id or the name, by state, and page by page", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const mark = fresh().org_id
        yield* organizations.save({ ...defaults(`${mark}a`), name: "Sample 100% Roofing" })
        yield* organizations.save({ ...defaults(`${mark}b`), name: "Sample Painting", status: "suspended" })
        yield* organizations.save({ ...defaults(`${mark}C`), name: "Another" })
        const found = (given: Partial<Parameters<typeof organizations.search>[0]>) =>
          Effect.map(
            organizations.search({ text: null, status: null, after: null, limit: 1000, ...given }),
            (all) => all.flatMap(({ org_id }) => org_id.startsWith(mark) ? [org_id.slice(mark.length)] : [])
          )
        assert.deepStrictEqual(yield* found({}), ["C", "a", "b"])
        assert.deepStrictEqual(yield* found({ text: "sAMPLE" }), ["a", "b"])
        assert.deepStrictEqual(yield* found({ text: "0% r" }), ["a"])
        assert.deepStrictEqual(yield* found({ text: `${mark}c`.toUpperCase() }), ["C"])
        assert.deepStrictEqual(yield* found({ text: "_" + mark.slice(4) }), ["C", "a", "b"])
        assert.deepStrictEqual(yield* found({ status: "suspended" }), ["b"])
        assert.deepStrictEqual(yield* found({ text: mark, limit: 2 }), ["C", "a"])
        assert.deepStrictEqual(yield* found({ text: mark, after: `${mark}a`, limit: 2 }), ["b"])
      }))

    it.effect("change their state alone", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const organization = fresh()
        yield* organizations.save(organization)
        for (const status of ["suspended", "suspended", "closed", "active"] as const) {
          const expected = Option.some({ ...organization, status })
          assert.deepStrictEqual(yield* organizations.setStatus(organization.org_id, status), expected)
          assert.deepStrictEqual(yield* organizations.find(organization.org_id), expected)
        }
        assert.isTrue(Option.isNone(yield* organizations.setStatus("nobody", "closed")))
      }))

    it.effect("keep their members by email, without regard to case, oldest first", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const { org_id } = fresh()
        yield* organizations.save(defaults(org_id))
        const zoe = joining("zoe@example.com", { territory: { county_fips: ["99001"] }, monthlyCreditLimit: 0 })
        const ana = joining("ana@example.com", { role: "admin" })
        assert.strictEqual(yield* organizations.saveMember(org_id, zoe), "created")
        assert.strictEqual(yield* organizations.saveMember(org_id, ana), "created")
        assert.strictEqual(yield* organizations.saveMember(org_id, zoe), "unchanged")
        const renamed = { ...joining("Zoe@Example.com"), name: "Sample Zoe" }
        assert.strictEqual(yield* organizations.saveMember(org_id, renamed), "changed")
        assert.deepStrictEqual(yield* organizations.members(org_id), [{ ...renamed, memberId: zoe.memberId }, ana])
        assert.deepStrictEqual(yield* organizations.members("nobody"), [])
      }))

    it.effect("are changed atomically: all of it or nothing", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const [kept, lost] = [fresh(), fresh()]
        yield* organizations.save(kept)
        const failure = yield* organizations.atomically(Effect.gen(function*() {
          yield* organizations.save(lost)
          yield* organizations.saveMember(kept.org_id, joining("ana@example.com"))
          yield* organizations.save({ ...kept, name: "Sample Name" })
          return yield* Effect.fail("changed my mind" as const)
        })).pipe(Effect.flip)
        assert.strictEqual(failure, "changed my mind")
        assert.isTrue(Option.isNone(yield* organizations.find(lost.org_id)))
        assert.deepStrictEqual(yield* organizations.find(kept.org_id), Option.some(kept))
        assert.deepStrictEqual(yield* organizations.members(kept.org_id), [])
        assert.strictEqual(yield* organizations.atomically(organizations.save(lost)), "created")
        assert.isTrue(Option.isSome(yield* organizations.find(lost.org_id)))
      }))

    it.effect("lose nothing of what is merged onto them at the same time", () =>
      Effect.gen(function*() {
        const organizations = yield* Organizations
        const { org_id } = fresh()
        const counties = Array.from({ length: 8 }, (_, index) => `9900${index}`)
        yield* Effect.forEach(counties, (county) =>
          organizations.atomically(Effect.gen(function*() {
            const stored = Option.getOrElse(yield* organizations.find(org_id), () => defaults(org_id))
            const { county_fips } = stored.serviceable_area
            yield* organizations.save({
              ...stored,
              serviceable_area: { whole_state_abbrs: [], county_fips: [...county_fips, county] }
            })
          })), { concurrency: "unbounded" })
        const stored = yield* Effect.flatMap(organizations.find(org_id), Effect.fromOption)
        assert.sameMembers([...stored.serviceable_area.county_fips], counties)
      }))
  })
}
