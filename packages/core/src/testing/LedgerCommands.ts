/**
 * What the laws are tried with: generated commands, and an application that carries them out through the core's own
 * services over any ports.
 *
 * The generator stays at the edges: balances just below, at and above a price, few items and few references, so that
 * calls meet often.
 *
 * All data is made up.
 */
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Result, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import * as ContactReader from "../contact/ContactReader.ts"
import { Contacts } from "../contact/Contacts.ts"
import { Bucket } from "../credit/Bucket.ts"
import * as Credits from "../credit/Credits.ts"
import { Ledger, type LedgerSnapshot } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import type { BundleSource } from "../lead/BundleSource.ts"
import { LeadFeed } from "../lead/LeadFeed.ts"
import * as LeadReader from "../lead/LeadReader.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { Organizations } from "../organization/Organizations.ts"
import { Properties } from "../property/Properties.ts"
import * as PropertyReader from "../property/PropertyReader.ts"
import * as PropertyUnlocker from "../property/PropertyUnlocker.ts"
import {
  type Answer,
  type Call,
  callOf,
  type Command,
  dayMillis,
  type Door,
  happened,
  initial,
  keyIds,
  keyName,
  type ModelState,
  type Observation,
  observationOf,
  refOf,
  refused,
  type Scene,
  step
} from "./LedgerModel.ts"
import { contact, property, Seeder } from "./Seed.ts"
import { setClock } from "./SetClock.ts"

/** What an application needs of its adapters. */
export type LedgerPorts = BundleSource | Contacts | Ledger | Organizations | Properties | Seeder

const item = fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3, 4)
const person = fc.constantFrom(0, 0, 1, 1, 1, 2, 2, 3, 4)
const key = fc.constantFrom(0 as const, 1 as const)
const door: fc.Arbitrary<Door> = fc.constantFrom("id", "upper", "key")
const max = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4, 5, 9, 10) }
)
const seldom = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })

const unlock: fc.Arbitrary<Command> = fc.record({
  _tag: fc.constant("Unlock" as const),
  property: item,
  door,
  key,
  max
})
const reveal: fc.Arbitrary<Command> = fc.record({
  _tag: fc.constant("Reveal" as const),
  contact: person,
  door: fc.constantFrom("id" as const, "upper" as const),
  key,
  max
})
const lead: fc.Arbitrary<Command> = fc.record({ _tag: fc.constant("Export" as const), property: item, key })
const look: fc.Arbitrary<Command> = fc.record({ _tag: fc.constant("Look" as const), property: item, door })
const grant: fc.Arbitrary<Command> = fc.record({
  _tag: fc.constant("Grant" as const),
  ref: fc.nat({ max: 6 }),
  bucket: fc.constantFrom(...Bucket.literals),
  amount: fc.constantFrom(1, 4, 5, 5, 6, 9, 10, 10, 11, 14, 15, 0),
  days: fc.constantFrom(null, 1, 2, 3)
})
const refund: fc.Arbitrary<Command> = fc.record({ _tag: fc.constant("Refund" as const), charge: fc.nat({ max: 3 }) })
const payment: fc.Arbitrary<Command> = fc.record({
  _tag: fc.constant("Payment" as const),
  failed: seldom,
  dormant: seldom,
  freeExports: fc.nat({ max: 2 })
})

/** One thing after another. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: grant },
  { weight: 6, arbitrary: unlock },
  { weight: 6, arbitrary: reveal },
  { weight: 3, arbitrary: lead },
  { weight: 2, arbitrary: refund },
  { weight: 1, arbitrary: look },
  { weight: 2, arbitrary: payment },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Coverage" as const), licensed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Wait" as const), days: fc.constantFrom(1, 2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Attach" as const),
      property: fc.nat({ max: 2 }),
      contact: fc.nat({ max: 4 })
    })
  }
)

/** Grants for the start, so that a price is about what there is. */
export const opening: fc.Arbitrary<ReadonlyArray<Command>> = fc.array(
  fc.record({ bucket: fc.constantFrom(...Bucket.literals), amount: fc.constantFrom(4, 5, 9, 10, 11, 15) }),
  { maxLength: 3 }
).map((grants) => grants.map((given, index) => ({ _tag: "Grant", ref: 10 + index, days: null, ...given })))

/**
 * Simultaneous things: what changes the scene, the area or the clock is left out, since a call reads those before it is
 * at the ledger.
 */
export const batch: fc.Arbitrary<ReadonlyArray<Command>> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: unlock },
    { weight: 5, arbitrary: reveal },
    { weight: 3, arbitrary: lead },
    { weight: 3, arbitrary: refund },
    { weight: 2, arbitrary: grant },
    { weight: 1, arbitrary: payment }
  ),
  { minLength: 2, maxLength: 6, size: "max" }
)

/** A property is paid for, and then its charge is refunded beside what goes by that access. */
export const closing: {
  readonly before: ReadonlyArray<Command>
  readonly batch: fc.Arbitrary<ReadonlyArray<Command>>
} = {
  before: [
    { _tag: "Grant", ref: 0, bucket: "purchased", amount: 25, days: null },
    { _tag: "Unlock", property: 0, door: "id", key: 0, max: null }
  ],
  batch: fc.shuffledSubarray<Command>([
    { _tag: "Refund", charge: 0 },
    { _tag: "Export", property: 0, key: 0 },
    { _tag: "Export", property: 0, key: 1 },
    { _tag: "Reveal", contact: 0, door: "id", key: 0, max: null },
    { _tag: "Unlock", property: 0, door: "key", key: 1, max: null }
  ], { minLength: 3 })
}

const countyOpen = "99001"
const countyLicensed = "99002"
const countyOutside = "99003"

let made = 0
/** Made-up ids that no other test of this process uses. */
const uuid = () => `a0000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

/** A scene that nobody has seen. Of each letter case, so that an id in upper case differs. */
export const newScene = (): Scene => {
  const first = uuid()
  const place = (
    id: string,
    countyFips: string,
    facts: { readonly researched?: boolean; readonly into?: string } = {}
  ) => ({
    id,
    key: `${countyFips}-${id.slice(-6)}`,
    countyFips,
    researched: facts.researched ?? true,
    retiredInto: facts.into ?? null
  })
  return {
    orgId: `org_law_${++made}`,
    properties: [
      place(first, countyOpen),
      place(uuid(), countyLicensed),
      place(uuid(), countyOpen, { researched: false }),
      place(uuid(), countyOutside),
      place(uuid(), countyOpen, { into: first })
    ],
    contacts: Array.from({ length: 5 }, uuid),
    licensedCounty: countyLicensed
  }
}

const research = {
  beneficialOwner: "Sample Holdings",
  beneficialOwnerType: null,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "2026-01-01T00:00:00.000Z",
  tier: "Standard" as const
}

const attached = ({ contacts, properties }: Scene, [at, who]: readonly [number, number]) => ({
  propertyId: properties[at]?.id ?? "",
  contactId: contacts[who] ?? "",
  role: null,
  relationshipStatus: "current" as const,
  attributionType: "customer_supplied"
})

/** The time stands still at `now`; waiting takes as long as ever. */
export const stoppedAt = (now: number, running: Clock.Clock): Clock.Clock => setClock(running, () => now)

const leadReader = LeadReader.make.pipe(
  Effect.provide([
    Layer.mock(LeadFeed, {}),
    SecureRandom.layerWebCrypto,
    Layer.succeed(ServiceSettings, { appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "public" })
  ])
)

/** One application over the ports: its own services, and with it its own turns and connections. */
export const application = Effect.gen(function*() {
  const ledger = yield* Ledger
  const organizations = yield* Organizations
  const properties = yield* Properties
  const contacts = yield* Contacts
  const seeder = yield* Seeder
  const credits = yield* Credits.make
  const unlocker = yield* PropertyUnlocker.make
  const people = yield* ContactReader.make
  const records = yield* PropertyReader.make
  const leads = yield* leadReader
  const running = yield* Clock.Clock
  const delivered = new Set<string>()

  const named = (scene: Scene, index: number, by: Door): string => {
    const place = scene.properties[index]
    return by === "key" ? place?.key ?? "" : by === "upper" ? place?.id.toUpperCase() ?? "" : place?.id ?? ""
  }

  const actor = { kind: "operator", id: null, name: "Sample Operator" } as const

  const act = Effect.fnUntraced(function*({ organization, scene }: ModelState, call: Call) {
    const maxCredits = "max" in call && call.max !== null ? { maxCredits: call.max } : {}
    switch (call._tag) {
      case "Grant":
        return yield* credits.grant({
          orgId: scene.orgId,
          ref: refOf(call.ref),
          bucket: call.bucket,
          amount: call.amount,
          expiresAt: call.days === null ? null : (yield* Clock.currentTimeMillis) + call.days * dayMillis,
          actor
        }).pipe(Effect.map(Struct.pick(["entry", "outcome"])))
      case "Refund":
        return yield* credits.refund({ orgId: scene.orgId, entry: call.entry, actor }).pipe(
          Effect.map(Struct.pick(["entry", "outcome"]))
        )
      case "Unlock":
        return yield* unlocker.unlock({ id: named(scene, call.property, call.door), ...maxCredits })
      case "Reveal": {
        const id = scene.contacts[call.contact] ?? ""
        const answer = yield* people.reveal({ id: call.door === "upper" ? id.toUpperCase() : id, ...maxCredits })
        assert.strictEqual(answer.contact.id, id)
        return Struct.pick(answer, ["alreadyRevealed", "creditsCharged"])
      }
      case "Export": {
        const answer = yield* leads.bundle({ property_id: named(scene, call.property, "id") })
        assert.isFalse(delivered.has(answer.delivery_id), "each delivery has an id of its own")
        delivered.add(answer.delivery_id)
        return Struct.pick(answer, ["billed_via", "credits_charged"])
      }
      case "Look":
        return Struct.pick(yield* records.readRecord({ id: named(scene, call.property, call.door) }), [
          "coveredByPlan",
          "researchRevealed",
          "researchState",
          "revealSource"
        ])
      case "Attach":
        yield* seeder.add({ relationships: [attached(scene, [call.property, call.contact])] })
        return {}
      case "Payment":
        yield* organizations.save({
          ...organization,
          payment_status: call.failed ? "failed" : "ok",
          credits_dormant: call.dormant,
          export_allowance: { ...organization.export_allowance, max_exports_per_month: call.freeExports }
        })
        return {}
      case "Coverage":
        yield* organizations.save({
          ...organization,
          entitlement: { ...organization.entitlement, county_fips: call.licensed ? [scene.licensedCounty] : [] }
        })
        return {}
      case "Wait":
        return {}
    }
  })

  /** What a price is told with is no part of the model. */
  const aboutMoney = (answer: Answer): Answer => ({ ...Struct.omit(answer, ["places"]), code: answer.code })

  /** Carries a call out as a key of the organization. */
  const perform = (state: ModelState, call: Call): Effect.Effect<Answer> => {
    const { organization } = state
    const caller: CallerFacts = {
      kind: "key",
      territory: null,
      credentialId: keyIds["key" in call ? call.key : 0],
      keyName,
      label: `${keyName} fhk_00000000`,
      scopes: ["data:read", "data:unlock", "leads:read_single"],
      organization,
      requestId: call.requestId
    }
    return act(state, call).pipe(
      Effect.match({
        onFailure: (refusal) => aboutMoney(refused(refusal)),
        onSuccess: (value): Answer => ({ code: "ok", ...value })
      }),
      Effect.provideService(Caller, caller),
      Effect.provideService(Clock.Clock, stoppedAt(state.now, running))
    )
  }

  /** What the ports tell of the organization. */
  const observe = Effect.fnUntraced(function*({ now, scene }: ModelState) {
    const { orgId } = scene
    const { balance, exportsUsed } = yield* ledger.balance(orgId, now)
    const { grants } = yield* ledger.transact(
      { orgId, subject: { _tag: "Exports", monthStart: monthStart(now) }, exclusive: false, now },
      (snapshot) => Result.succeed(decide<LedgerSnapshot>(snapshot))
    )
    const places = yield* Effect.forEach(scene.properties, ({ id }) => properties.standing({ _tag: "Id", id }, orgId))
    const persons = yield* Effect.forEach(scene.contacts, (id) => contacts.read(id, orgId))
    return {
      organization: yield* Effect.flatMap(organizations.find(orgId), Effect.fromOption),
      entries: yield* ledger.entries(orgId, { after: 0, limit: 10_000 }),
      balance,
      exportsUsed,
      grants,
      properties: places.map((standing) => Option.getOrNull(standing)?.access ?? null),
      contacts: persons.map((standing) => Option.getOrNull(standing)?.access ?? null)
    } satisfies Observation
  }, Effect.orDie)

  /** The part of it that a call may change at once, for the price of two reads. */
  const glance = Effect.fnUntraced(function*({ now, scene }: ModelState) {
    return {
      entries: yield* ledger.entries(scene.orgId, { after: 0, limit: 10_000 }),
      ...yield* ledger.balance(scene.orgId, now)
    }
  }, Effect.orDie)

  const begin = Effect.fnUntraced(function*(now: number | undefined, scene: Scene | undefined) {
    const state = initial(scene === undefined ? newScene() : { ...scene, orgId: `org_law_${++made}` }, now)
    yield* organizations.save(state.organization)
    if (scene === undefined) {
      const { contacts: persons, properties: places } = state.scene
      yield* seeder.add({
        properties: places.map(({ countyFips, id, key: placeKey, researched, retiredInto }) =>
          property({ id, key: placeKey, countyFips, retiredInto, research: researched ? research : null })
        ),
        contacts: persons.map((id) => contact({ id })),
        relationships: state.attachments.map((pair) => attached(state.scene, pair))
      })
    }
    return state
  }, Effect.orDie)

  /** A new organization; with `scene`, among records that are there. */
  const arrange = (now?: number, scene?: Scene) => begin(now, scene)

  return { arrange, glance, observe, perform }
})

export type Application = typeof application extends Effect.Effect<infer A, infer _E, infer _R> ? A : never

let requests = 0
export const newRequestId = (): string => `request ${++requests}`

/** One call, compared with the model; answers the state after it. */
export const checked = Effect.fnUntraced(function*(
  { perform }: Pick<Application, "perform">,
  state: ModelState,
  command: Command,
  note: (happened: ReadonlyArray<string>) => void
) {
  const call = callOf(state, command, newRequestId())
  const [next, expected] = step(state, call)
  assert.deepStrictEqual(yield* perform(state, call), expected)
  note(happened(state, next, expected))
  return next
})

/** Attaching what is attached already is no command. */
export const isPossible = (state: ModelState, command: Command): boolean =>
  command._tag !== "Attach"
  || !state.attachments.some(([at, who]) => at === command.property && who === command.contact)

export interface ModelCell {
  state: ModelState
}

export interface Real {
  readonly application: Application
  readonly run: (effect: Effect.Effect<void>) => Promise<void>
  readonly note: (happened: ReadonlyArray<string>) => void
}

/** For `fc.commands`. */
export const asModelCommand = (given: Command): fc.AsyncCommand<ModelCell, Real> => ({
  check: (model) => isPossible(model.state, given),
  run: (model, real) =>
    real.run(Effect.gen(function*() {
      model.state = yield* checked(real.application, model.state, given, real.note)
      const { balance, entries, exportsUsed } = observationOf(model.state)
      assert.deepStrictEqual(yield* real.application.glance(model.state), { entries, balance, exportsUsed })
    })),
  toString: () => JSON.stringify(given)
})
