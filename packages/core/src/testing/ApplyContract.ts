/**
 * What applying a document must do over any adapters. They call `applyContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import * as ApiKey from "../access/ApiKey.ts"
import { KeyRing } from "../access/KeyRing.ts"
import * as Keys from "../access/Keys.ts"
import * as Credits from "../credit/Credits.ts"
import { Ledger } from "../credit/Ledger.ts"
import { addedOnly, Scope } from "../operation/Scope.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as Apply from "../provision/Apply.ts"
import * as ApplyDocument from "../provision/ApplyDocument.ts"
import { describe } from "../provision/Describe.ts"
import { inWords } from "../provision/Difference.ts"
import { stoppedAt } from "./LedgerCommands.ts"

const apply = Effect.fnUntraced(function*(...organizations: ReadonlyArray<object>) {
  const service = yield* Apply.make
  const document = yield* Effect.fromResult(ApplyDocument.decode({ organizations }))
  return (yield* service.apply(document)).organizations
})

const issuesOf = (effect: ReturnType<typeof apply>) =>
  Effect.flip(effect).pipe(Effect.map((refusal) => refusal._tag === "INVALID_ARGUMENTS" ? refusal.issues : []))

const stored = (orgId: string) =>
  Organizations.use((organizations) => Effect.flatMap(organizations.find(orgId), Effect.fromOption))

/** The organization as a document has it. */
const shown = Effect.fnUntraced(function*(orgId: string) {
  const organization = yield* stored(orgId)
  const credentials = yield* KeyRing.use((keys) => keys.list(orgId))
  const members = yield* Organizations.use((organizations) => organizations.members(orgId))
  return describe({ organization, credentials, members })
})

const some = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
const count = fc.nat({ max: 100_000 })
const counties = fc.uniqueArray(fc.constantFrom("36061", "36005", "53033", "06037"), { maxLength: 3 })
const states = fc.uniqueArray(fc.constantFrom("NY", "WA", "CA"), { maxLength: 2 })
const name = fc.stringMatching(/^[A-Za-z][A-Za-z .-]{0,20}$/)
const dailyLimit = fc.constantFrom("contact_reveal", "lead_export", "records_taken_per_day")
const keyScopes = fc.uniqueArray(
  fc.constantFrom(...Scope.literals.filter((scope) => !addedOnly.includes(scope))),
  { maxLength: 4 }
)

/** Without what is `undefined`, which no document says. */
const said = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(said)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).flatMap(([key, part]) => part === undefined ? [] : [[key, said(part)]]))
    : value

/** Organizations of every kind, made up. */
const organizationPart = fc.record({
  name: some(name),
  plan: some(fc.constantFrom("team", "enterprise")),
  status: some(fc.constantFrom("active", "suspended", "closed")),
  payment_status: some(fc.constantFrom("ok", "failed")),
  credits_dormant: some(fc.boolean()),
  crm_mode: some(fc.constantFrom("internal", "external")),
  member_connect: some(fc.constantFrom("all", "admins")),
  serviceable_area: some(fc.record({ whole_state_abbrs: states, county_fips: some(counties) })),
  entitlement: some(fc.record({ nationwide: some(fc.boolean()), state_abbrs: states })),
  features: some(fc.record({ signals: fc.boolean(), lists: some(fc.boolean()) })),
  export_allowance: some(fc.record({ max_exports_per_month: count })),
  requests_per_minute: some(fc.option(count)),
  requests_per_day: some(fc.option(count)),
  daily_limits: some(
    fc.dictionary(dailyLimit, fc.option(fc.record({ service: some(fc.option(count)), organization: fc.option(count) })))
  ),
  records_allowance: some(fc.option(fc.record({
    records: count,
    period: fc.constantFrom("calendar_month", { start: "2026-01-15T00:00:00Z", months: 12 }),
    overage: fc.option(fc.constant({ price_per_record_usd: "0.05", ceiling_records: 500 }))
  }))),
  loss_reasons: some(fc.constantFrom([], [{ code: "org_sold", label: "Sold", requires_note: true }])),
  keys: some(fc.uniqueArray(
    fc.record({
      name: name.filter((text) => text.trim() !== ""),
      scopes: some(keyScopes),
      daily_limits: some(fc.dictionary(dailyLimit, fc.option(count))),
      expires_at: some(fc.constantFrom(null, "2999-01-01T00:00:00Z", "2999-06-30T12:00:00.5+02:00"))
    }),
    { selector: (key) => key.name, maxLength: 3 }
  )),
  members: some(fc.uniqueArray(
    fc.record({
      email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
      name: some(name),
      role: some(fc.constantFrom("admin", "member", "read_only")),
      seat: some(fc.boolean()),
      status: some(fc.constantFrom("active", "removed")),
      territory: some(fc.option(fc.record({ county_fips: counties }))),
      monthly_credit_limit: some(fc.option(count))
    }),
    { selector: (member) => member.email, maxLength: 3 }
  ))
}).map((part) => ({ ...Object(said(part)) }))

const secret = `fhk_${"s".repeat(43)}`

/** `layer` holds an empty store. */
export const applyContract = <E>(
  name: string,
  layer: Layer.Layer<Organizations | KeyRing | Ledger, E>
): void => {
  suite(Layer.mergeAll(layer, SecureRandom.layerWebCrypto, Digest.layerWebCrypto), { excludeTestServices: true })(
    `${name}: apply`,
    (it) => {
      it.effect("sets until when a key works, moves it, lifts it, and leaves it where the document is silent", () =>
        Effect.gen(function*() {
          const ask = (key: object) =>
            apply({ org_id: "org_expiry", keys: [{ name: "ci", scopes: ["mcp"], ...key }] }).pipe(
              Effect.map(([applied]) => applied)
            )
          const expiry = Effect.map(shown("org_expiry"), ({ keys }) => keys.map(({ expires_at }) => expires_at))
          const first = yield* ask({ expires_at: "2999-01-01T00:00:00+01:00" })
          assert.strictEqual(first?.keys[0]?.outcome, "created")
          assert.deepStrictEqual(yield* expiry, ["2998-12-31T23:00:00.000Z"])
          for (const same of [{}, { expires_at: "2998-12-31T23:00:00Z" }]) {
            assert.strictEqual((yield* ask(same))?.keys[0]?.outcome, "unchanged")
          }
          const moved = yield* ask({ expires_at: "2999-02-01T00:00:00Z" })
          assert.deepStrictEqual(moved?.changes.map(inWords), [
            "keys.ci.expires_at: 2998-12-31T23:00:00.000Z -> 2999-02-01T00:00:00.000Z"
          ])
          assert.deepStrictEqual(
            (yield* ask({ expires_at: null }))?.changes.map(inWords),
            ["keys.ci.expires_at: 2999-02-01T00:00:00.000Z -> none"]
          )
          assert.deepStrictEqual(yield* expiry, [null])
          const late = { expires_at: "2020-01-01T00:00:00Z" }
          const refused = [{
            field: "organizations.0.keys.0.expires_at",
            message: "Expected a time that is still to come"
          }]
          for (const name of ["ci", "another"]) {
            assert.deepStrictEqual(
              yield* issuesOf(apply({ org_id: "org_expiry", keys: [{ name, scopes: ["mcp"], ...late }] })),
              refused
            )
          }
        }))

      it.effect("says of a key that has expired that it stays so, and lets a document give it another time", () =>
        Effect.gen(function*() {
          const ask = (key: object) =>
            Effect.map(apply({ org_id: "org_expired", keys: [{ name: "ci", ...key }] }), ([applied]) => applied)
          const made = yield* ask({ scopes: ["mcp"] })
          yield* KeyRing.use((keys) => keys.expire(made?.keys[0]?.credential_id ?? "", 1_600_000_000_000))
          assert.deepStrictEqual((yield* shown("org_expired")).keys, [])
          const silent = yield* ask({ expires_at: "2020-09-13T12:26:40Z" })
          assert.strictEqual(silent?.keys[0]?.outcome, "unchanged")
          assert.include(silent?.warnings ?? [], "key ci is expired, and stays so: give it another expires_at")
          const again = yield* ask({ expires_at: null })
          assert.deepStrictEqual(
            [again?.keys[0]?.outcome, again?.warnings.filter((each) => each.includes("stays so"))],
            [
              "changed",
              []
            ]
          )
          assert.deepInclude((yield* shown("org_expired")).keys[0], { name: "ci", expires_at: null })
        }))

      it.effect("refuses a new grant that is over already, and leaves one alone that ended after it was made", () =>
        Effect.gen(function*() {
          const ask = apply({
            org_id: "org_over",
            grants: [{ ref: "2024", bucket: "included", amount: 10, expires_at: "2025-01-01T00:00:00Z" }]
          })
          const refused = [{
            field: "organizations.0.grants.0.expires_at",
            message: "Expected a time that is still to come"
          }]
          assert.deepStrictEqual(yield* issuesOf(ask), refused)
          const then = stoppedAt(Date.UTC(2024, 5, 1), yield* Clock.Clock)
          const [made] = yield* Effect.provideService(ask, Clock.Clock, then)
          assert.strictEqual(made?.outcome, "created")
          const [again] = yield* ask
          assert.deepInclude(again, { outcome: "unchanged", changes: [] })
        }))

      it.effect("makes what is new with its defaults, and changes nothing the second time", () =>
        Effect.gen(function*() {
          const document = {
            org_id: "org_new",
            plan: "enterprise",
            serviceable_area: { county_fips: ["36061"] },
            grants: [{ ref: "2026-11", bucket: "included", amount: 100, expires_at: "2999-01-01T00:00:00Z" }],
            keys: [{ name: "ci", scopes: ["mcp", "data:read", "mcp"], daily_limits: { contact_reveal: 5 } }],
            members: [{ email: "Ana@example.com", role: "admin" }]
          }
          const [first] = yield* apply(document)
          assert.strictEqual(first?.outcome, "created")
          const key = first?.keys[0]
          assert.deepInclude(key, { name: "ci", outcome: "created" })
          const made = Option.fromNullishOr(key?.secret).pipe(Option.getOrThrow)
          assert.isTrue(ApiKey.isWellFormed(Redacted.value(made)))
          assert.deepStrictEqual(yield* stored("org_new"), {
            ...defaults("org_new"),
            plan: "enterprise",
            serviceable_area: { whole_state_abbrs: [], county_fips: ["36061"] }
          })
          const keys = yield* KeyRing
          const found = yield* Effect.flatMap(keys.authorize(yield* ApiKey.hash(made), 0), Effect.fromOption)
          assert.deepInclude(found.credential, {
            credentialId: key?.credential_id ?? "",
            label: `ci ${Redacted.value(made).slice(0, 12)}`,
            scopes: ["mcp", "data:read"],
            dailyLimits: { contact_reveal: 5 }
          })
          const members = yield* Organizations.use((organizations) => organizations.members("org_new"))
          assert.deepInclude(members[0], { email: "Ana@example.com", role: "admin", seat: true, status: "active" })
          const before = yield* Ledger.use((ledger) => ledger.entries("org_new", { after: 0, limit: 9 }))
          assert.deepStrictEqual(before.map(({ credits, ref }) => [ref, credits]), [["2026-11", 100]])

          const [second] = yield* apply(document)
          assert.deepStrictEqual(second, {
            org_id: "org_new",
            outcome: "unchanged",
            keys: [{ name: "ci", credential_id: key?.credential_id ?? "", outcome: "unchanged" }],
            changes: [],
            warnings: []
          })
          assert.deepStrictEqual(
            yield* Ledger.use((ledger) => ledger.entries("org_new", { after: 0, limit: 9 })),
            before
          )
        }))

      it.effect("changes what is given and keeps the rest; limits merge by kind and layer, null lifts, loss reasons are replaced", () =>
        Effect.gen(function*() {
          yield* apply({
            org_id: "org_merge",
            name: "Sample Roofing",
            entitlement: { nationwide: true },
            features: { signals: true },
            daily_limits: { contact_reveal: { service: 10, organization: 5 }, lead_export: { organization: 1 } },
            records_allowance: { records: 10 },
            loss_reasons: [
              { code: "org_a", label: "One", requires_note: false },
              { code: "org_b", label: "Two", requires_note: true }
            ],
            keys: [{ name: "ci", scopes: ["mcp"], daily_limits: { contact_reveal: 5, lead_export: 2 } }],
            members: [{ email: "ana@example.com", name: "Sample Ana" }]
          })
          const [changed] = yield* apply({
            org_id: "org_merge",
            entitlement: { county_fips: ["99001"] },
            features: { lists: false },
            daily_limits: { contact_reveal: { organization: null }, lead_export: null },
            records_allowance: { initial_load: 4 },
            loss_reasons: [{ code: "org_b", label: "Two", requires_note: false }],
            keys: [{ name: "ci", daily_limits: { contact_reveal: null } }],
            members: [{ email: "ANA@example.com", seat: false }]
          })
          assert.deepInclude(changed, { outcome: "changed" })
          assert.deepInclude(changed?.keys[0], { outcome: "changed" })
          const fresh = defaults("org_merge")
          assert.deepStrictEqual(yield* stored("org_merge"), {
            ...fresh,
            name: "Sample Roofing",
            entitlement: { nationwide: true, state_abbrs: [], county_fips: ["99001"] },
            features: { ...fresh.features, signals: true, lists: false },
            daily_limits: {
              contact_reveal: { service: 10, organization: null },
              lead_export: { service: null, organization: null }
            },
            records_allowance: { records: 10, initial_load: 4, period: "calendar_month", overage: null },
            loss_reasons: [{ code: "org_b", label: "Two", requires_note: false }]
          })
          const [key] = yield* KeyRing.use((keys) => keys.list("org_merge"))
          assert.deepInclude(key, { scopes: ["mcp"], dailyLimits: { contact_reveal: null, lead_export: 2 } })
          const [member] = yield* Organizations.use((organizations) => organizations.members("org_merge"))
          assert.deepInclude(member, { email: "ANA@example.com", name: "Sample Ana", seat: false })
          const [again] = yield* apply({ org_id: "org_merge", members: [{ email: "ANA@example.com" }] })
          assert.strictEqual(again?.outcome, "unchanged")
          yield* apply({ org_id: "org_merge", records_allowance: null })
          assert.isNull((yield* stored("org_merge")).records_allowance)
        }))

      it.effect("takes a given secret, and refuses another one for the same key", () =>
        Effect.gen(function*() {
          const document = { org_id: "org_secret", keys: [{ name: "ci", secret }] }
          const [made] = yield* apply(document)
          assert.strictEqual(made?.keys[0]?.secret && Redacted.value(made.keys[0].secret), secret)
          const [again] = yield* apply(document)
          assert.deepInclude(again?.keys[0], { outcome: "unchanged" })
          assert.isFalse(again?.keys[0] !== undefined && "secret" in again.keys[0])
          const issues = yield* issuesOf(apply({
            org_id: "org_secret",
            name: "Never Saved",
            keys: [{ name: "ci", secret: `fhk_${"t".repeat(43)}` }]
          }))
          assert.deepStrictEqual(issues.map(({ field }) => field), ["organizations.0.keys.0.secret"])
          assert.strictEqual((yield* stored("org_secret")).name, "org_secret")
        }))

      it.effect("takes none of several active keys of one name for the other, and makes no second one", () =>
        Effect.gen(function*() {
          const orgId = "org_twins"
          const document = { org_id: orgId, keys: [{ name: "ci", scopes: ["data:read"] }] }
          yield* apply(document)
          const keys = yield* Keys.make
          const asked = { orgId, name: "ci", scopes: [], dailyLimits: {} }
          const refused = yield* Effect.flip(keys.create(asked))
          assert.deepInclude(refused, { _tag: "INVALID_ARGUMENTS" })
          assert.include(refused.message, "name: Another active key has this name")
          const second = {
            ...asked,
            credentialId: "00000000-0000-7000-8000-00000000c1c1",
            label: "ci",
            secretHash: "c1".repeat(32)
          }
          yield* KeyRing.use((ring) => ring.create(second))
          const issues = yield* issuesOf(apply(document))
          assert.deepStrictEqual(issues.map(({ field }) => field), ["organizations.0.keys.0.name"])
          yield* keys.revoke(second.credentialId)
          assert.deepInclude((yield* apply(document))[0]?.keys[0], { outcome: "unchanged" })
          assert.isString((yield* keys.create({ ...asked, name: "another" })).credential.name)
        }))

      it.effect("names whoever applies it in the ledger", () =>
        Effect.gen(function*() {
          const org_id = "org_by"
          const grants = [{ ref: "welcome", bucket: "included", amount: 1 }]
          const document = yield* Effect.fromResult(ApplyDocument.decode({ organizations: [{ org_id, grants }] }))
          const actor = { kind: "operator", id: null, name: "ana" } as const
          yield* Effect.flatMap(Apply.make, (service) => service.apply(document, { actor }))
          const entries = yield* Ledger.use((ledger) => ledger.entries(org_id, { after: 0, limit: 9 }))
          assert.deepStrictEqual(entries.map((entry) => entry.actor), [actor])
        }))

      it.effect("never brings a revoked key back, and leaves added scopes alone", () =>
        Effect.gen(function*() {
          const document = {
            org_id: "org_keys",
            keys: [{ name: "a", scopes: ["mcp"] }, { name: "b", scopes: ["mcp"] }]
          }
          const [made] = yield* apply(document)
          const [a, b] = made?.keys ?? []
          const keys = yield* Keys.make
          yield* keys.revoke(a?.credential_id ?? "")
          const allowed = yield* keys.allow(b?.credential_id ?? "", "pipeline:transitions_full")
          assert.deepStrictEqual(allowed.scopes, ["mcp", "pipeline:transitions_full"])
          const [again] = yield* apply(document)
          assert.deepStrictEqual(again?.keys.map(({ outcome }) => outcome), ["unchanged", "unchanged"])
          const listed = yield* keys.list("org_keys")
          assert.deepStrictEqual(listed.map(({ scopes, status }) => [status, scopes.length]), [
            ["revoked", 1],
            ["active", 2]
          ])
          const refused = yield* Effect.flip(keys.allow(a?.credential_id ?? "", "mcp"))
          assert.strictEqual(refused._tag, "INVALID_ARGUMENTS")
        }))

      it.effect("applies an organization as a whole or not at all, and keeps those before it", () =>
        Effect.gen(function*() {
          const issues = yield* issuesOf(apply({ org_id: "org_before" }, {
            org_id: "org_broken",
            grants: [{ ref: "a", bucket: "trial", amount: 5 }, { ref: "b", bucket: "trial", amount: 1_000_000_000 }],
            keys: [{ name: "a", scopes: ["mcp"] }, { name: "b", scopes: ["pipeline:transitions_full"] }]
          }))
          assert.deepStrictEqual(issues.map(({ field }) => field), ["organizations.1.grants.1.amount"])
          const full = yield* issuesOf(apply({
            org_id: "org_broken",
            keys: [{ name: "a", scopes: ["mcp"] }, { name: "b", scopes: ["pipeline:transitions_full"] }]
          }))
          assert.deepStrictEqual(full.map(({ field }) => field), ["organizations.0.keys.1.scopes"])
          yield* stored("org_before")
          assert.strictEqual((yield* Effect.flip(stored("org_broken")))._tag, "NoSuchElementError")
          assert.deepStrictEqual(yield* KeyRing.use((keys) => keys.list("org_broken")), [])
        }))

      it.effect("CREDENTIAL_LIMIT_REACHED: an eleventh active key, of one document or over those that there are", () =>
        Effect.gen(function*() {
          const keys = Array.from({ length: 11 }, (_, index) => ({ name: `key ${index}` }))
          const refused = { _tag: "CREDENTIAL_LIMIT_REACHED", org_id: "org_many", limit: 10 } as const
          assert.deepInclude(yield* Effect.flip(apply({ org_id: "org_many", keys })), refused)
          assert.strictEqual((yield* Effect.flip(stored("org_many")))._tag, "NoSuchElementError")

          const [made] = yield* apply({ org_id: "org_many", keys: keys.slice(0, 10) })
          assert.deepInclude(yield* Effect.flip(apply({ org_id: "org_many", keys: [{ name: "x" }] })), refused)
          assert.deepInclude(yield* Effect.flip(apply({ org_id: "org_many", keys })), refused)
          assert.strictEqual((yield* KeyRing.use((ring) => ring.list("org_many"))).length, 10)

          yield* KeyRing.use((ring) => ring.revoke(made?.keys[0]?.credential_id ?? ""))
          const [after] = yield* apply({ org_id: "org_many", keys })
          assert.strictEqual(after?.keys.at(-1)?.outcome, "created", "the revoked one does not count")
        }))

      it.effect("refuses a secret that another organization's key has", () =>
        Effect.gen(function*() {
          const taken = `fhk_${"o".repeat(43)}`
          yield* apply({ org_id: "org_owner", keys: [{ name: "ci", secret: taken }] })
          const issues = yield* issuesOf(apply({ org_id: "org_thief", keys: [{ name: "ci", secret: taken }] }))
          assert.deepStrictEqual(issues.map(({ field }) => field), ["organizations.0.keys.0.secret"])
          assert.strictEqual((yield* Effect.flip(stored("org_thief")))._tag, "NoSuchElementError")
          const keys = yield* KeyRing
          const hash = yield* ApiKey.hash(Redacted.make(taken))
          const found = yield* Effect.flatMap(keys.authorize(hash, 0), Effect.fromOption)
          assert.strictEqual(found.credential.orgId, "org_owner")
        }))

      it.effect("loses nothing when two documents are applied at once", () =>
        Effect.gen(function*() {
          const both = {
            org_id: "org_race",
            keys: [{ name: "ci" }],
            grants: [{ ref: "a", bucket: "trial", amount: 5 }]
          }
          yield* Effect.all([
            apply({ ...both, name: "Sample Race" }),
            apply({ ...both, plan: "enterprise" }),
            apply({ ...both, crm_mode: "external" })
          ], { concurrency: "unbounded" })
          assert.deepInclude(yield* stored("org_race"), {
            name: "Sample Race",
            plan: "enterprise",
            crm_mode: "external"
          })
          assert.strictEqual((yield* KeyRing.use((keys) => keys.list("org_race"))).length, 1)
          const credits = yield* Credits.make
          assert.strictEqual((yield* credits.balance("org_race")).balance.trial, 5)
        }))

      it.effect("changes nothing when it is given an organization as it is shown, whatever the organization", () =>
        Effect.forEach(
          fc.sample(organizationPart, { numRuns: 25, seed: 20_261_122 }),
          (part, index) =>
            Effect.gen(function*() {
              const orgId = `org_shown_${index}`
              yield* apply({ ...part, org_id: orgId })
              const first = yield* shown(orgId)
              const [again] = yield* apply(first)
              assert.strictEqual(again?.outcome, "unchanged")
              assert.deepStrictEqual(again?.keys.filter(({ outcome }) => outcome !== "unchanged"), [])
              assert.deepStrictEqual(again?.changes, [])
              assert.deepStrictEqual(yield* shown(orgId), first)
              // Made anew elsewhere, it is the same organization.
              yield* apply({ ...first, org_id: `${orgId}_copy` })
              assert.deepStrictEqual(yield* shown(`${orgId}_copy`), { ...first, org_id: `${orgId}_copy` })
            }),
          { discard: true }
        ))

      it.effect("tells what it changed and what that cuts off; a dry run tells the same, and changes nothing", () =>
        Effect.gen(function*() {
          const org_id = "org_told"
          yield* apply({
            org_id,
            plan: "enterprise",
            serviceable_area: { county_fips: ["36061", "36005"] },
            keys: [{ name: "ci", scopes: ["data:read"], daily_limits: { contact_reveal: 5 } }],
            members: [{ email: "ana@example.com", role: "admin", territory: { county_fips: ["36005"] } }]
          })
          const before = yield* shown(org_id)
          const next = {
            org_id,
            plan: "team",
            status: "suspended",
            serviceable_area: { county_fips: ["36061", "36047", "99999"] },
            keys: [{ name: "ci", daily_limits: { contact_reveal: 0 } }, { name: "new", scopes: ["mcp"] }],
            members: [{ email: "ana@example.com", role: "member" }],
            grants: [{ ref: "told", bucket: "trial", amount: 5 }]
          }
          const document = yield* Effect.fromResult(ApplyDocument.decode({ organizations: [next] }))
          const service = yield* Apply.make
          const [tried] = (yield* service.apply(document, { dryRun: true })).organizations
          assert.deepStrictEqual(yield* shown(org_id), before)
          assert.isTrue(tried?.keys.every(({ secret }) => secret === undefined))
          assert.deepStrictEqual(tried?.changes.map(inWords), [
            "plan: enterprise -> team",
            "status: active -> suspended",
            "serviceable_area.county_fips: +36047 +99999 -36005",
            "keys.ci.daily_limits.contact_reveal: 5 -> 0",
            "keys.new: new, {\"name\":\"new\",\"scopes\":[\"mcp\"],\"daily_limits\":{},\"expires_at\":null}",
            "members.ana@example.com.role: admin -> member",
            "grants.told: new, {\"bucket\":\"trial\",\"amount\":5}"
          ])
          assert.deepStrictEqual(tried?.warnings, [
            "every call is refused while it is suspended, of its 2 keys and of its members",
            "99999 in the serviceable area, and in no state: no county has such a code",
            "key ci cannot use data:read: the plan is team, enterprise is needed",
            "key ci is paused for contact_reveal: the daily limit is 0",
            "key new cannot use mcp: the plan is team, enterprise is needed",
            "member ana@example.com sees no property: no county of the territory is in the serviceable area"
          ])
          const [applied] = yield* apply(next)
          assert.deepStrictEqual([applied?.changes, applied?.warnings], [tried?.changes, tried?.warnings])
          const entries = yield* Ledger.use((ledger) => ledger.entries(org_id, { after: 0, limit: 9 }))
          assert.deepStrictEqual(entries.map(({ ref }) => ref), ["told"])
        }))

      it.effect("credits are granted and refunded by command, once", () =>
        Effect.gen(function*() {
          yield* apply({ org_id: "org_credits" })
          const credits = yield* Credits.make
          const actor = { kind: "operator", id: null, name: null } as const
          const request = {
            orgId: "org_credits",
            ref: "a",
            bucket: "purchased",
            amount: 7,
            expiresAt: null,
            actor
          } as const
          const made = yield* credits.grant(request)
          assert.deepInclude(made, { entry: 1, kind: "grant", ref: "a", credits: 7, outcome: "created" })
          assert.deepStrictEqual(yield* credits.grant({ ...request, amount: 9 }), { ...made, outcome: "unchanged" })
          const refused = yield* Effect.flip(credits.refund({ orgId: "org_credits", entry: 1, actor }))
          assert.strictEqual(refused._tag, "INVALID_ARGUMENTS")
          const unknown = yield* Effect.flip(credits.grant({ ...request, orgId: "org_nobody" }))
          assert.strictEqual(unknown._tag, "INVALID_ARGUMENTS")
        }))
    }
  )
}
