/** What every `Changes`, with `Deliveries`, `Suppressions` and `PropertyMerges` beside it, must do. */
import { assert, it } from "@effect/vitest"
import { Duration, Effect, type Layer, Option } from "effect"
import { type ChangeQuery, Changes } from "../change/Changes.ts"
import { SignalKind } from "../change/SignalKind.ts"
import { bodyOf, type SignalBody } from "../change/Signals.ts"
import type { Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { type ClaimedDelivery, Deliveries } from "../webhook/Deliveries.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import { contact, property, type SeedChange, Seeder, tie } from "./Seed.ts"
import * as Scene from "./WebhookScene.ts"

type Ports = Changes | Deliveries | Organizations | PropertyMerges | Seeder | Suppressions | WebhookEndpoints

const orgId = "org_a"
const others = ["org_off", "org_elsewhere", "org_b"]
const person = Scene.uuid(4, 1)
const changeId = (index: number) => Scene.uuid(5, index)
const area = { nationwide: false, stateFips: [], countyFips: [Scene.visibleCounty] }

const organizations: ReadonlyArray<Organization> = [orgId, ...others].map((id) => {
  const organization = Scene.organization(id)
  return {
    ...organization,
    features: { ...organization.features, premium_values: id !== "org_b", signals: id !== "org_off" },
    serviceable_area: {
      whole_state_abbrs: [],
      county_fips: [id === "org_elsewhere" ? Scene.otherCounty : Scene.visibleCounty]
    }
  }
})

const sold: SeedChange = {
  id: changeId(1),
  kind: "ownership_transfer",
  propertyId: Scene.propertyId(0),
  detectedAt: Scene.at,
  withdraws: null,
  effectiveDate: "2026-08-14",
  before: { value: "ADA SAMPLE", owner_type: "individual" },
  after: { value: "Sample Holdings", owner_type: "private_company" }
}
const managed: SeedChange = {
  ...sold,
  id: changeId(2),
  kind: "manager_change",
  detectedAt: Scene.at + 1000,
  source: "research",
  before: { value: "Acme PM", organization_id: null },
  after: { value: "Birch PM", organization_id: null }
}
const left: SeedChange = {
  id: changeId(3),
  kind: "contact_departure",
  propertyId: null,
  contactId: person,
  detectedAt: Scene.at + 2000,
  withdraws: null,
  before: { value: "Acme", organization_id: null }
}
const withdrawn: SeedChange = {
  id: changeId(4),
  kind: "withdrawn",
  propertyId: null,
  detectedAt: null,
  withdraws: sold.id
}

const allKinds = SignalKind.literals.map((kind) => `signal.${kind}`)
const listen = (index: number, events: ReadonlyArray<string> = [...allKinds, "signal.withdrawn"], owner = orgId) =>
  Scene.register(owner, index, { events })

const addChanges = (...changes: ReadonlyArray<SeedChange>) => Seeder.use((seeder) => seeder.add({ changes }))

const scene = Seeder.use((seeder) =>
  seeder.add({
    organizations,
    properties: [property({ id: Scene.propertyId(0), countyFips: Scene.visibleCounty })],
    contacts: [contact({ id: person })],
    relationships: [tie(Scene.propertyId(0), person)]
  })
)

const fanOut = Deliveries.use((deliveries) => deliveries.fanOut(100))

const claim = Deliveries.use((deliveries) =>
  deliveries.claim({ limit: 100, perEndpoint: 100, lease: Duration.minutes(5) })
)

const deliver = (claimed: ReadonlyArray<ClaimedDelivery>) =>
  Deliveries.use((deliveries) =>
    deliveries.complete(
      claimed.map((each) => Scene.ended(each)),
      [Duration.zero]
    )
  )

const bodyFor = (delivery: Pick<ClaimedDelivery, "eventId" | "organization">, evidence = true) =>
  Changes.use((changes) =>
    Effect.map(
      changes.ofEvent(delivery.organization.org_id, delivery.eventId),
      (event): SignalBody => bodyOf(Option.getOrThrow(event), delivery.organization, evidence)
    )
  )

const organizationNamed = (id: string) => Organizations.use((port) => Effect.map(port.find(id), Option.getOrThrow))

const listed = (more: Partial<ChangeQuery> = {}) =>
  Changes.use((changes) =>
    changes.list({
      orgId,
      visible: area,
      subject: null,
      kinds: SignalKind.literals,
      since: 0,
      after: null,
      limit: 10,
      ...more
    })
  )

const told = (claimed: ReadonlyArray<ClaimedDelivery>) =>
  claimed.map(({ endpointId, eventType }) => `${Number(endpointId.slice(-3))} ${eventType}`).toSorted()

/** `layer` must be fresh for each test. */
export const changesContract = <E>(layer: Layer.Layer<Ports, E>): void => {
  const test = <A, E2>(name: string, body: Effect.Effect<A, E2, Ports>) =>
    it.live(name, () => Effect.provide(body, layer))

  test(
    "each organization that has changes on and sees the subject is told once, at every endpoint of the kind",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* listen(2, ["signal.manager_change"])
      yield* listen(3, ["lead.qualified"])
      yield* listen(4, allKinds, "org_off")
      yield* listen(5, allKinds, "org_elsewhere")
      yield* listen(6, allKinds, "org_b")
      yield* addChanges(sold, managed, left)
      yield* fanOut
      yield* fanOut
      const claimed = yield* claim
      assert.deepStrictEqual(told(claimed), [
        "1 signal.contact_departure",
        "1 signal.manager_change",
        "1 signal.ownership_transfer",
        "2 signal.manager_change",
        "6 signal.contact_departure",
        "6 signal.manager_change",
        "6 signal.ownership_transfer"
      ])
      const ofManager = claimed.filter(({ eventType, organization }) =>
        eventType === "signal.manager_change" && organization.org_id === orgId
      )
      assert.lengthOf(new Set(ofManager.map(({ eventId }) => eventId)), 1)
      assert.lengthOf(new Set(ofManager.map(({ deliveryId }) => deliveryId)), 2)
    })
  )

  test(
    "what was recorded before an organization first subscribed to changes is not sent, but can be read",
    Effect.gen(function*() {
      yield* scene
      yield* addChanges(sold)
      yield* fanOut
      yield* listen(1)
      yield* addChanges(managed)
      yield* fanOut
      assert.deepStrictEqual(told(yield* claim), ["1 signal.manager_change"])
      const all = yield* listed()
      assert.deepStrictEqual(all.map(({ signalId }) => signalId), [managed.id, sold.id])
      assert.isTrue(all.every(({ eventId }) => eventId !== null))
    })
  )

  test(
    "what was recorded before is not sent either where its event is made only after the organization subscribed",
    Effect.gen(function*() {
      yield* scene
      yield* addChanges(sold)
      yield* listen(1)
      yield* listen(6, ["lead.qualified"], "org_b")
      yield* addChanges(managed)
      yield* WebhookEndpoints.use((endpoints) => endpoints.change("org_b", Scene.endpointId(6), { events: allKinds }))
      yield* addChanges(left)
      yield* fanOut
      assert.deepStrictEqual(told(yield* claim), [
        "1 signal.contact_departure",
        "1 signal.manager_change",
        "6 signal.contact_departure"
      ])
    })
  )

  test(
    "a second endpoint is sent what was recorded after the organization first subscribed",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1, ["signal.sale"])
      yield* addChanges(sold)
      yield* listen(2)
      yield* fanOut
      assert.deepStrictEqual(told(yield* claim), ["2 signal.ownership_transfer"])
    })
  )

  test(
    "the body names the change; its evidence shows what plan and unlocks reveal",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* listen(6, allKinds, "org_b")
      yield* addChanges(sold, managed)
      yield* fanOut
      const claimed = yield* claim
      const find = (owner: string, type: string) =>
        claimed.find(({ eventType, organization }) => organization.org_id === owner && eventType === type) ??
          assert.fail(type)
      const sale = find(orgId, "signal.ownership_transfer")
      const plain = {
        payload_version: "signal.v1",
        event_id: sale.eventId,
        kind: "ownership_transfer",
        subject: { type: "property", id: Scene.propertyId(0) },
        detected_at: "2026-09-21T14:13:20.000Z",
        source: "county_record",
        signal_id: sold.id
      } as const
      assert.deepStrictEqual(yield* bodyFor(sale, false), { _tag: "Body", data: plain })
      const evidence = {
        field: "record_owner",
        before: { value: "ADA SAMPLE", owner_type: "individual" },
        after: { value: "Sample Holdings", owner_type: "private_company" },
        observed_at: plain.detected_at,
        effective_date: "2026-08-14",
        source_kind: "county_record",
        manager_withheld: false,
        dates_withheld: false,
        owner_withheld: false
      }
      assert.deepStrictEqual(yield* bodyFor(sale), { _tag: "Body", data: { ...plain, evidence } })
      assert.containSubset(yield* bodyFor(find("org_b", "signal.ownership_transfer")), {
        data: { evidence: { effective_date: null, dates_withheld: true } }
      })
      assert.containSubset(yield* bodyFor(find(orgId, "signal.manager_change")), {
        data: { evidence: { before: null, after: null, manager_withheld: true } }
      })
      const seeder = yield* Seeder
      yield* seeder.add({ accesses: [{ orgId, kind: "property", id: Scene.propertyId(0), source: "paid" }] })
      assert.containSubset(yield* bodyFor(find(orgId, "signal.manager_change")), {
        data: { evidence: { before: { value: "Acme PM" }, after: { value: "Birch PM" }, manager_withheld: false } }
      })
    })
  )

  test(
    "a change taken back before it is sent is not sent, nor its withdrawal",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* addChanges(sold, withdrawn)
      yield* fanOut
      assert.deepStrictEqual(yield* claim, [])

      yield* addChanges(managed)
      yield* fanOut
      const claimed = yield* claim
      yield* addChanges({ ...withdrawn, id: changeId(9), withdraws: managed.id })
      const [delivery = assert.fail("claimed")] = claimed
      assert.deepStrictEqual(yield* bodyFor(delivery), { _tag: "Withheld", reason: "retracted_before_send" })
      assert.deepStrictEqual((yield* listed()).map((change) => change.withdrawn), [true, true])
    })
  )

  test(
    "a withdrawal goes to the endpoints that were sent the change and subscribe to withdrawals",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* listen(2, allKinds)
      yield* listen(3, ["signal.withdrawn"])
      yield* addChanges(sold)
      yield* fanOut
      const sent = yield* claim
      yield* deliver(sent)
      yield* addChanges(withdrawn)
      yield* fanOut
      const claimed = yield* claim
      assert.deepStrictEqual(told(claimed), ["1 signal.withdrawn"])
      const [delivery = assert.fail("claimed")] = claimed
      const body = yield* bodyFor(delivery)
      assert.containSubset(body, {
        data: {
          payload_version: "signal.v1",
          event_id: delivery.eventId,
          kind: "withdrawn",
          subject: { type: "property", id: Scene.propertyId(0) },
          withdraws_event_id: sent[0]?.eventId,
          reason: "source_correction"
        }
      })
      assert.notProperty(body._tag === "Body" ? body.data : {}, "evidence")
    })
  )

  test(
    "a withdrawal goes to the endpoint that replaced the one that was sent the change",
    Effect.gen(function*() {
      const url = "https://receiver.example/same"
      const events = [...allKinds, "signal.withdrawn"]
      yield* scene
      yield* Scene.register(orgId, 1, { url, events })
      yield* addChanges(sold)
      yield* fanOut
      yield* deliver(yield* claim)
      yield* Scene.register(orgId, 3, { url, events })
      yield* listen(4)
      yield* addChanges(withdrawn)
      yield* fanOut
      assert.deepStrictEqual(told(yield* claim), ["3 signal.withdrawn"])
    })
  )

  test(
    "a suppressed person: nothing more is sent, and those who were sent a change are told to remove it",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* listen(2)
      yield* addChanges(left)
      yield* fanOut
      const claimed = yield* claim
      yield* deliver(claimed.slice(0, 1))
      const suppressions = yield* Suppressions
      yield* suppressions.suppress({ _tag: "Contact", named: person })
      const [, waiting = assert.fail("claimed")] = claimed
      assert.containSubset(yield* bodyFor(waiting), { _tag: "Withheld" })

      yield* addChanges({ ...left, id: changeId(8), kind: "contact_title_change" })
      yield* fanOut
      const after = yield* claim
      assert.isTrue(after.length > 0 && after.every(({ eventType }) => eventType === "signal.withdrawn"))
      const [removal = assert.fail("claimed")] = after
      assert.containSubset(yield* bodyFor(removal), { data: { kind: "withdrawn", reason: "suppressed" } })
      assert.deepStrictEqual(yield* listed(), [])
    })
  )

  test(
    "a suppressed owner is withheld in evidence, and those who were sent the name are told to remove it",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* addChanges(sold)
      yield* fanOut
      yield* deliver(yield* claim)
      const suppressions = yield* Suppressions
      yield* suppressions.suppress({ _tag: "Owner", name: "Ada Sample" })
      yield* addChanges({ ...sold, id: changeId(7) })
      yield* fanOut
      const claimed = yield* claim
      assert.deepStrictEqual(told(claimed), ["1 signal.ownership_transfer", "1 signal.withdrawn"])
      const later = claimed.find(({ eventType }) => eventType === "signal.ownership_transfer") ?? assert.fail("claimed")
      assert.containSubset(yield* bodyFor(later), {
        data: {
          evidence: {
            before: { value: null, owner_type: "individual" },
            after: { value: "Sample Holdings" },
            owner_withheld: true
          }
        }
      })
    })
  )

  const other = Scene.propertyId(1)
  const merge = (from: string, into: string) =>
    PropertyMerges.use((merges) => merges.merge({ from, into, dryRun: false }))
  const suppress = (named: string) => Suppressions.use((port) => port.suppress({ _tag: "Property", named }))

  /** An organization that was sent a change of the owner of each of two properties. */
  const sentOfBoth = Effect.gen(function*() {
    yield* scene
    yield* Seeder.use((seeder) =>
      seeder.add({ properties: [property({ id: other, countyFips: Scene.visibleCounty })] })
    )
    yield* listen(1)
    yield* addChanges(sold, managed, { ...sold, id: changeId(6), propertyId: other })
    yield* fanOut
    yield* deliver(yield* claim)
  })

  const removed = Effect.gen(function*() {
    yield* fanOut
    const claimed = yield* claim
    for (const each of claimed) assert.containSubset(yield* bodyFor(each), { data: { reason: "suppressed" } })
    yield* deliver(claimed)
    return told(claimed)
  })

  test(
    "a suppressed property: those who were sent a change of its owner remove it, and one of what was merged into it",
    Effect.gen(function*() {
      yield* sentOfBoth
      yield* merge(other, Scene.propertyId(0))
      yield* addChanges({ ...sold, id: changeId(7), propertyId: other })
      yield* fanOut
      yield* deliver(yield* claim)
      yield* suppress(Scene.propertyId(0))
      assert.deepStrictEqual(yield* removed, Array.from({ length: 3 }, () => "1 signal.withdrawn"))
    })
  )

  for (const suppressed of [other, Scene.propertyId(0)]) {
    test(
      `a merge ${
        suppressed === other ? "of" : "into"
      } a suppressed property has those who were sent the other's owner remove it`,
      Effect.gen(function*() {
        yield* sentOfBoth
        yield* suppress(suppressed)
        assert.deepStrictEqual(yield* removed, ["1 signal.withdrawn"])
        yield* merge(other, Scene.propertyId(0))
        assert.deepStrictEqual(yield* removed, ["1 signal.withdrawn"])
      })
    )
  }

  test(
    "switched off, or outside the area, when it is sent: not sent",
    Effect.gen(function*() {
      yield* scene
      yield* listen(1)
      yield* addChanges(sold)
      yield* fanOut
      const [delivery = assert.fail("claimed")] = yield* claim
      const { eventId } = delivery
      const organization = yield* organizationNamed(orgId)
      const off = { ...organization, features: { ...organization.features, signals: false } }
      assert.deepStrictEqual(yield* bodyFor({ eventId, organization: off }), {
        _tag: "Withheld",
        reason: "signals_not_enabled"
      })
      const away = { ...organization, serviceable_area: { whole_state_abbrs: [], county_fips: [Scene.otherCounty] } }
      assert.deepStrictEqual(yield* bodyFor({ eventId, organization: away }), {
        _tag: "Withheld",
        reason: "out_of_territory"
      })
    })
  )

  test(
    "changes are listed newest first, by subject, kind, time and area, page by page",
    Effect.gen(function*() {
      yield* scene
      yield* addChanges(sold, managed, left, withdrawn)
      const ids = (more: Partial<ChangeQuery>) =>
        Effect.map(listed(more), (found) => found.map(({ signalId }) => Number(signalId.slice(-3))))
      assert.deepStrictEqual(yield* ids({}), [3, 2, 1])
      assert.deepStrictEqual(yield* ids({ subject: { type: "contact", id: person } }), [3])
      assert.deepStrictEqual(yield* ids({ subject: { type: "property", id: Scene.propertyId(0) } }), [2, 1])
      assert.deepStrictEqual(yield* ids({ kinds: ["ownership_transfer"] }), [1])
      assert.deepStrictEqual(yield* ids({ since: Scene.at + 1000 }), [3, 2])
      assert.deepStrictEqual(yield* ids({ visible: { ...area, countyFips: [Scene.otherCounty] } }), [])
      const [first, second] = yield* listed({ limit: 2 })
      assert.deepStrictEqual([first?.withdrawn, first?.eventId], [false, null])
      assert.deepStrictEqual(yield* ids({ after: second?.position ?? null }), [1])
      assert.isTrue((yield* listed({ after: second?.position ?? null }))[0]?.withdrawn)
    })
  )
}
