/** `Standings` over PostgreSQL against its contract. */
import * as StandingsPg from "@freehold/adapters-pg/coverage/StandingsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { standingsContract } from "@freehold/core/testing/StandingsContract"
import { Layer } from "effect"

standingsContract(
  "over PostgreSQL",
  Layer.merge(StandingsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)
