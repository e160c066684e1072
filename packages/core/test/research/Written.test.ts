/** What of a strategy and a draft is told after an owner asked not to be listed, or a person. All data is made up. */
import { assert, layer } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import { MemoryState, type StoredRun } from "@freehold/core/memory/MemoryState"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import type { Result, RunItem } from "@freehold/core/research/ResearchRun"
import * as RunReader from "@freehold/core/research/RunReader"
import { Suppressions, type SuppressionSubject } from "@freehold/core/suppression/Suppressions"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { contact, property, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const [place, jo, ana] = [id(1), id(11), id(12)]
const rationale = "Ana Person signs for Jane Secret."
const manager = "Managed by Sample Management."

const organization: Organization = {
  ...defaults("org_sample"),
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: [], county_fips: ["53903"] },
  entitlement: { nationwide: true, state_abbrs: [], county_fips: [] }
}

const caller: KeyCaller = {
  kind: "key",
  territory: null,
  credentialId: "key",
  keyName: "sample",
  label: "sample fhk_kkkkkkkk",
  scopes: ["mcp", "data:read"],
  organization,
  requestId: "request"
}

const seeded = startOver({
  organizations: [organization],
  properties: [
    property({
      id: place,
      countyFips: "53903",
      address: "1 Sample Street",
      recordOwner: "Jane Secret",
      research: {
        beneficialOwner: "Secret Family",
        beneficialOwnerType: "family_trust",
        managementCompany: "Sample Management",
        aiRationale: rationale,
        researchedAt: "2026-01-02T00:00:00.000Z",
        tier: "Standard"
      }
    })
  ],
  contacts: [
    contact({ id: jo, fullName: "Jo Sample", title: "Manager", email: "jo@sample.example" }),
    contact({ id: ana, fullName: "Ana Person" })
  ],
  relationships: [jo, ana].map((contactId) => tie(place, contactId))
})

const itemOf = (result: Result | null): RunItem => ({
  jobId: id(92),
  subjectId: jo,
  propertyId: place,
  state: "complete",
  reason: null,
  chargeEntry: 1,
  result
})

/** What the status of a run tells that had the result before. */
const toldOf = Effect.fnUntraced(function*(action: StoredRun["action"], result: Result | null) {
  const state = yield* MemoryState
  const item = { ...itemOf(result), claim: 1, attempts: 0, handedOver: false, dueAt: 0 }
  state.researchRuns.set(id(91), {
    runId: id(91),
    orgId: organization.org_id,
    action,
    batch: false,
    wish: null,
    actor: { kind: "key", id: "key", name: "sample" },
    createdAt: 0,
    finishedAt: 0,
    items: [item]
  })
  const { status } = yield* RunReader.make
  return yield* Effect.provideService(status({ run_id: id(91) }), Caller, caller)
})

const written = Effect.gen(function*() {
  const { research } = yield* ImportedResearcher.make
  const finding = yield* research({
    jobId: id(92),
    runId: id(91),
    organization,
    action: "deep_research_contact",
    actor: { kind: "key", id: null, name: null },
    subjectId: jo,
    subjectKey: jo,
    property: { id: place, key: place },
    opened: true,
    wish: null,
    claim: 1,
    attempts: 0,
    overdue: false
  })
  return finding._tag === "Found" && finding.result?._tag === "Strategy" ? finding.result.strategy.points : []
})

const strategy: Result = {
  _tag: "Strategy",
  strategy: { summary: "Jo Sample, Manager.", approach: "Ask.", points: [manager, rationale] }
}
const draftOn = (...points: ReadonlyArray<string>): Result => ({
  _tag: "Draft",
  draft: { subject: "1 Sample Street", body: "The Secrets said so." },
  points
})

const suppress = (subject: SuppressionSubject) => Suppressions.use((port) => port.suppress(subject))

const ports = SuppressionsMemory.layer.pipe(Layer.provideMerge(MemoryPorts.layer))

layer(ports, { excludeTestServices: true })("a strategy and a draft", (it) => {
  it.effect("rest on nothing that may name an owner who asked not to be listed, nor tell it if they did", () =>
    Effect.gen(function*() {
      for (const name of ["Jane Secret", "Secret Family"]) {
        yield* seeded
        assert.deepStrictEqual(yield* written, [manager, rationale])
        const before = yield* toldOf("deep_research_contact", strategy)
        assert.deepStrictEqual(before.strategy?.points, [manager, rationale])
        assert.isDefined((yield* toldOf("draft_email", draftOn(manager, rationale))).draft)

        yield* suppress({ _tag: "Owner", name })
        assert.deepStrictEqual(yield* written, [manager])
        assert.deepStrictEqual((yield* toldOf("deep_research_contact", strategy)).strategy?.points, [manager])
        const withheld = yield* toldOf("draft_email", draftOn(manager, rationale))
        assert.isUndefined(withheld.draft)
        assert.isUndefined(withheld.to)
        assert.isDefined((yield* toldOf("draft_email", draftOn(manager))).draft)
      }
    }))

  it.effect("name no person who asked not to be listed", () =>
    Effect.gen(function*() {
      yield* seeded
      yield* suppress({ _tag: "Contact", named: ana })
      assert.deepStrictEqual(yield* written, [manager])
      assert.deepStrictEqual((yield* toldOf("deep_research_contact", strategy)).strategy?.points, [manager])
      const draft = { subject: "1 Sample Street", body: "Ana B. Person's building." }
      assert.isUndefined((yield* toldOf("draft_email", { _tag: "Draft", draft, points: [] })).draft)
    }))
})

layer(ports, { excludeTestServices: true })("an address that was found", (it) => {
  it.effect("is told with the wish not to be mailed there", () =>
    Effect.gen(function*() {
      yield* seeded
      assert.notProperty(yield* toldOf("find_email", null), "doNotContact")
      const state = yield* MemoryState
      const doNotContact = { email: true, phone: false }
      const person = { ...contact({ id: jo, email: "jo@sample.example", doNotContact }), firmName: null }
      state.contacts.set(jo, person)
      const told = yield* toldOf("find_email", null)
      assert.deepInclude(told, { email: "jo@sample.example", doNotContact: { email: true, phone: false } })
    }))
})
