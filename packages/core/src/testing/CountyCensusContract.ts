/** What every `CountyCensus` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { CountyCensus } from "../coverage/CountyCensus.ts"
import { property, type Seeder, startOver } from "./Seed.ts"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** `layer` is a store of its own. */
export const countyCensusContract = <E>(name: string, layer: Layer.Layer<CountyCensus | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`CountyCensus: ${name}`, (it) => {
    it.effect("counties come by their codes with the properties that were not merged", () =>
      Effect.gen(function*() {
        yield* startOver({
          properties: [
            property({ id: id(1), countyFips: "48113", county: "Dallas" }),
            property({ id: id(2), countyFips: "48113" }),
            property({ id: id(3), countyFips: "06001" }),
            property({ id: id(4), countyFips: "48113", retiredInto: id(1) }),
            property({ id: id(5), countyFips: "48085", retiredInto: id(1) })
          ]
        })
        const census = yield* CountyCensus
        assert.deepStrictEqual(yield* census.read, [
          { countyFips: "06001", name: null, properties: 1, lastRefresh: null, sources: [] },
          { countyFips: "48113", name: "Dallas", properties: 2, lastRefresh: null, sources: [] }
        ])
      }))

    it.effect("a county that comes is told by the revision, which stays as it is otherwise", () =>
      Effect.gen(function*() {
        const { revision } = yield* CountyCensus
        yield* startOver({ properties: [property({ id: id(1), countyFips: "48113" })] })
        const before = yield* revision
        assert.strictEqual(yield* revision, before)
        yield* startOver({
          properties: [property({ id: id(1), countyFips: "48113" }), property({ id: id(2), countyFips: "06001" })]
        })
        assert.notStrictEqual(yield* revision, before)
      }))
  })
}
