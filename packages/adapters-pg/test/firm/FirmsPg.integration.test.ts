/** `Firms` over PostgreSQL against its contract, and against the one in memory; as a whole and in halves. */
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Firms } from "@freehold/core/firm/Firms"
import * as Spare from "@freehold/core/load/Spare"
import { browsesFirmsAsInMemory, firmsContract } from "@freehold/core/testing/FirmsContract"
import { Effect, Layer } from "effect"

const inHalves = Layer.effect(
  Firms,
  Effect.map(Firms, (firms) =>
    Firms.of({
      ...firms,
      browse: (asked) => Effect.provideService(firms.browse(asked), Spare.Take, Effect.succeed(true))
    }))
).pipe(Layer.provide(FirmsPg.layer))

for (const [name, firms] of [["over PostgreSQL", FirmsPg.layer], ["in halves, over PostgreSQL", inHalves]] as const) {
  const layer = Layer.merge(firms, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
  firmsContract(name, layer)
  browsesFirmsAsInMemory(name, layer, { runs: 25 })
}
