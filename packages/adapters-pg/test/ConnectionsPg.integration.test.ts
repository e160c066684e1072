import { connectionsContract } from "@freehold/core/testing/ConnectionsContract"
import { Layer } from "effect"
import * as ConnectionsPg from "../src/ConnectionsPg.ts"
import * as KeyRingPg from "../src/KeyRingPg.ts"
import * as OrganizationsPg from "../src/OrganizationsPg.ts"
import * as TestDatabase from "../src/testing/TestDatabase.ts"

connectionsContract(
  "PostgreSQL",
  Layer.mergeAll(ConnectionsPg.layer, KeyRingPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)
