/** `PageViews` over PostgreSQL: the contract. */
import { pageViewsContract } from "@freehold/core/testing/PageViewsContract"
import { Layer } from "effect"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as PageViewsPg from "../../src/viewing/PageViewsPg.ts"

pageViewsContract(
  "PostgreSQL",
  Layer.mergeAll(PageViewsPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)
