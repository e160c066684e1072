/** What a list of runs tells of drafts about properties whose owner asked not to be listed. All data is made up. */
import { assert, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import type { Run } from "@freehold/core/research/ResearchRun"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import * as RunReader from "@freehold/core/research/RunReader"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { contact, property, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const [place, other, jo] = [id(1), id(2), id(11)]

const organization: Organization = {
  ...defaults("org_sample"),
  serviceable_area: { whole_state_abbrs: [], county_fips: ["53903"] },
  entitlement: { nationwide: true, state_abbrs: [], county_fips: [] }
}

const drafted = (n: number, propertyId: string): Run => ({
  runId: id(90 + n),
  orgId: organization.org_id,
  action: "draft_email",
  batch: false,
  wish: null,
  actor: { kind: "key", id: "key", name: "sample" },
  createdAt: 0,
  finishedAt: 0,
  items: [{
    jobId: id(80 + n),
    subjectId: jo,
    propertyId,
    state: "complete",
    reason: null,
    chargeEntry: 1,
    result: { _tag: "Draft", draft: { subject: `The Secrets' building ${n}`, body: "Hello." }, points: [] }
  }]
})

const ports = Layer.merge(
  SuppressionsMemory.layer.pipe(Layer.provideMerge(MemoryPorts.layer)),
  Layer.mock(ResearchRuns)({ list: () => Effect.succeed([drafted(1, place), drafted(2, other)]) })
)

const summaries = Effect.gen(function*() {
  const { list } = yield* RunReader.make
  const { runs } = yield* Effect.provideService(list({}), Caller, keyOf(organization))
  return runs.map(({ result }) => result?.summary ?? null)
})

it.effect("their subjects are told no more, however they spell the name", () =>
  Effect.gen(function*() {
    yield* startOver({
      organizations: [organization],
      properties: [
        property({ id: place, countyFips: "53903", recordOwner: "Jane Secret" }),
        property({ id: other, countyFips: "53903", recordOwner: "Sample Holdings" })
      ],
      contacts: [contact({ id: jo })],
      relationships: [place, other].map((propertyId) => tie(propertyId, jo))
    })
    assert.deepStrictEqual(yield* summaries, ["The Secrets' building 1", "The Secrets' building 2"])
    yield* Suppressions.use(({ suppress }) => suppress({ _tag: "Owner", name: "Jane Secret" }))
    assert.deepStrictEqual(yield* summaries, [null, "The Secrets' building 2"])
  }).pipe(Effect.provide(ports)))
