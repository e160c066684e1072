/** What a delivery tells after somebody asked not to be listed, over any adapter of the ports. */
import { assert, it } from "@effect/vitest"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { LeadBundle } from "@freehold/core/lead/LeadOperations"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { Suppressions, type SuppressionSubject } from "@freehold/core/suppression/Suppressions"
import * as Seed from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Effect, Layer, Queue, Schema } from "effect"
import type { ServerResponse } from "node:http"
import { type Ports, receive, settled, work } from "./WorkerSuite.ts"

const person = Scene.uuid(4, 1)
const other = Scene.uuid(4, 2)
const firm = Scene.uuid(5, 1)
const owner = "Sample Holdings LLC"

const seed = Seed.Seeder.use((seeder) =>
  seeder.add({
    organizations: [Scene.organization("org_a")],
    properties: [Seed.property({ id: Scene.propertyId(0), countyFips: Scene.visibleCounty, recordOwner: owner })],
    firms: [Seed.firm({ id: firm, name: owner })],
    propertyFirms: [{ propertyId: Scene.propertyId(0), firmId: firm, role: "owner", attributionType: "county_record" }],
    contacts: [
      Seed.contact({ id: person, fullName: "Ada Sample", email: "ada@sample.example" }),
      Seed.contact({ id: other, fullName: "Bob Sample", email: "bob@sample.example" })
    ],
    relationships: [person, other].map((contactId) => ({
      propertyId: Scene.propertyId(0),
      contactId,
      role: "executive" as const,
      relationshipStatus: "current" as const,
      attributionType: "web"
    })),
    accesses: [{ orgId: "org_a", kind: "property", id: Scene.propertyId(0), source: "paid" }]
  })
)

const Body = Schema.fromJsonString(Schema.Struct({ event_id: Schema.String, data: LeadBundle }))

const settings = ServiceSettings.of({ appUrl: null, feedDelayMillis: 0, webhookTargets: "any" })

const bundles = LeadBundles.layer.pipe(Layer.provide(Layer.succeed(ServiceSettings, settings)))

/** The first reading is over just before the suppression, and is used after it. */
const overtaken = (subject: SuppressionSubject) =>
  bundles.pipe(Layer.provide(Layer.effect(
    BundleSource,
    Effect.gen(function*() {
      const source = yield* BundleSource
      const suppressions = yield* Suppressions
      const suppress = yield* Effect.cached(suppressions.suppress(subject))
      return BundleSource.of({ read: (ref, orgId) => Effect.tap(source.read(ref, orgId), suppress) })
    })
  )))

const namesIn = ({ contacts, organizations, property }: typeof LeadBundle.Type) => [
  ...contacts.map(({ full_name }) => full_name),
  ...organizations.map(({ name }) => name),
  property.record_owner
]

/** `ports` must be fresh for each test. */
export const suppressionSuite = <E>(ports: Layer.Layer<Ports | BundleSource | Suppressions, E>): void => {
  /** The first attempt is answered when it is refused. */
  const heldOnce = Effect.gen(function*() {
    yield* seed
    const held: Array<ServerResponse> = []
    const receiver = yield* receive((response, index) => void (index === 0 ? held.push(response) : response.end()))
    yield* Scene.register("org_a", 0, { url: receiver.url })
    yield* Scene.qualify("org_a", 0)
    const arrival = Effect.flatMap(
      Queue.take(receiver.arrivals),
      ({ body }) => Schema.decodeUnknownEffect(Body)(body.toString("utf8"))
    )
    return { arrival, refuse: Effect.sync(() => held.forEach((response) => response.writeHead(500).end())) }
  })

  const subjects: ReadonlyArray<readonly [string, SuppressionSubject, ReadonlyArray<string | null>]> = [
    ["person", { _tag: "Contact", named: person }, ["Bob Sample", owner, owner]],
    ["owner", { _tag: "Owner", name: owner }, ["Ada Sample", "Bob Sample", null]]
  ]

  for (const [who, subject, left] of subjects) {
    it.live(`a bundle built before a suppression is not sent again with the name: ${who} (P8)`, () =>
      Effect.gen(function*() {
        const { arrival, refuse } = yield* heldOnce
        yield* work()
        const first = yield* arrival
        assert.sameMembers(namesIn(first.data), ["Ada Sample", "Bob Sample", owner, owner])
        yield* Suppressions.use((suppressions) => suppressions.suppress(subject))
        yield* refuse
        const second = yield* arrival
        assert.sameMembers(namesIn(second.data), [...left])
        assert.strictEqual(second.event_id, first.event_id)
        yield* settled(0, ["delivered 2"])
      }).pipe(Effect.provide(Layer.provideMerge(bundles, ports))))

    it.live(`what was read before a suppression and stored after it is not sent again with the name: ${who} (P8)`, () =>
      Effect.gen(function*() {
        const { arrival, refuse } = yield* heldOnce
        yield* work()
        assert.include(namesIn((yield* arrival).data), who === "person" ? "Ada Sample" : owner)
        yield* refuse
        assert.sameMembers(namesIn((yield* arrival).data), [...left])
        yield* settled(0, ["delivered 2"])
      }).pipe(Effect.provide(Layer.provideMerge(overtaken(subject), ports))))
  }
}
