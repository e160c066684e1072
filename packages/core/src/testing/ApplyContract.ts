/**
 * What applying a document must do over any adapters. They call `applyContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as ApiKey from "../access/ApiKey.ts"
import * as Apply from "../access/Apply.ts"
import * as ApplyDocument from "../access/ApplyDocument.ts"
import { KeyRing } from "../access/KeyRing.ts"
import * as Keys from "../access/Keys.ts"
import { defaults } from "../access/Organization.ts"
import { Organizations } from "../access/Organizations.ts"
import * as Credits from "../credit/Credits.ts"
import { Ledger } from "../credit/Ledger.ts"

const apply = Effect.fnUntraced(function*(...organizations: ReadonlyArray<object>) {
  const service = yield* Apply.make
  const document = yield* Effect.fromResult(ApplyDocument.decode({ organizations }))
  return (yield* service.apply(document)).organizations
})

const issuesOf = (effect: ReturnType<typeof apply>) =>
  Effect.flip(effect).pipe(Effect.map((refusal) => refusal._tag === "INVALID_ARGUMENTS" ? refusal.issues : []))

const stored = (orgId: string) =>
  Organizations.use((organizations) => Effect.flatMap(organizations.find(orgId), Effect.fromOption))

const secret = `fhk_${"s".repeat(43)}`

/** `layer` holds an empty store. */
export const applyContract = <E>(
  name: string,
  layer: Layer.Layer<Organizations | KeyRing | Ledger, E>
): void => {
  suite(Layer.mergeAll(layer, SecureRandom.layerWebCrypto, Digest.layerWebCrypto), { excludeTestServices: true })(
    `${name}: apply`,
    (it) => {
      it.effect("makes what is new with its defaults, and changes nothing the second time", () =>
        Effect.gen(function*() {
          const document = {
            org_id: "org_new",
            plan: "enterprise",
            serviceable_area: { county_fips: ["99001"] },
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
            serviceable_area: { whole_state_abbrs: [], county_fips: ["99001"] }
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
            keys: [{ name: "ci", credential_id: key?.credential_id ?? "", outcome: "unchanged" }]
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
