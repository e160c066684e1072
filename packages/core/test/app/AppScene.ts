/** What the app offers, asked by two members of the organization of `ClosedPlace` and by one of another. */
import { Caller, type MemberCaller } from "@freehold/core/access/Caller"
import { AppCatalogue, type OfferedOperation } from "@freehold/core/catalogue/AppCatalogue"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import type { Organization } from "@freehold/core/organization/Organization"
import type { Member } from "@freehold/core/organization/Organizations"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { member, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const id = (n: number): string => `00000000-0000-4000-b000-${String(n).padStart(12, "0")}`

/** Of `ClosedPlace`: in the territory of Tess and beyond it; and two more in it. */
export const places = { far: id(1), near: id(11), second: id(101), third: id(102) } as const

const strangers: Organization = { ...ClosedPlace.organization, org_id: "org_strangers", name: "Strangers" }

const { whole: ana, within: tess } = ClosedPlace.members

/** Ana sees all, Tess the near county, and Ada the same as an admin; Otto is of another organization that sees the same counties. */
export const people = {
  ana,
  tess,
  ada: ClosedPlace.adminWithin,
  otto: member({ memberId: id(63), name: "Otto", email: "otto@people.example" })
}

const granted = SampleGrant.grant(ClosedPlace.orgId, 1000, { ref: "welcome" })

const seeded = Seeder.use((seeder) =>
  Effect.andThen(
    seeder.add(ClosedPlace.seed),
    seeder.add({
      organizations: [strangers],
      members: [{ orgId: strangers.org_id, ...people.otto }],
      properties: [places.second, places.third].map((propertyId, index) =>
        property({ id: propertyId, countyFips: ClosedPlace.counties.near, address: `${index} Sample Street` })
      )
    })
  )
)

const callerOf = (of: Member, organization: Organization): MemberCaller => ({
  kind: "member",
  credentialId: `session_${of.name}`,
  label: of.name,
  scopes: [],
  organization,
  territory: of.territory,
  requestId: "request",
  member: of
})

/** What an operation answers, or the code and the issues of its refusal. */
type Answer = ReturnType<typeof JSON.parse>

/** Asks as a member; `organization` with other settings, if they matter. */
export const asking = (who: keyof typeof people, settings: Partial<Organization> = {}) => {
  const organization = who === "otto" ? strangers : ClosedPlace.organization
  const run = Effect.fnUntraced(function*(name: OfferedOperation["name"], input: object) {
    const offered = { ...yield* Catalogue, ...yield* AppCatalogue }
    const answer: Effect.Effect<unknown, { readonly _tag: string; readonly message: string }, Caller> = offered[name](
      input
    )
    return yield* answer
  })
  return (name: OfferedOperation["name"], input: object): Effect.Effect<Answer, never, AppCatalogue | Catalogue> =>
    run(name, input).pipe(
      Effect.catch((refusal) => Effect.succeed({ code: refusal._tag, message: refusal.message })),
      Effect.provideService(Caller, callerOf(people[who], { ...organization, ...settings }))
    )
}

/** A fresh one for each suite. */
export const layer = Layer.merge(AppCatalogue.layer, Catalogue.layer).pipe(
  Layer.provideMerge(Layer.effectDiscard(Effect.andThen(seeded, granted))),
  Layer.provide(TemplateDrafter.layer),
  Layer.provideMerge(OrganizationsMemory.layer),
  Layer.provideMerge(MemoryPorts.layer)
)
