/** `PropertyMerges` over PostgreSQL against its contract. */
import * as BundleSourcePg from "@freehold/adapters-pg/BundleSourcePg"
import * as LedgerPg from "@freehold/adapters-pg/LedgerPg"
import * as OrganizationsPg from "@freehold/adapters-pg/OrganizationsPg"
import * as PropertiesPg from "@freehold/adapters-pg/PropertiesPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/PropertyMergesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { propertyMergesContract } from "@freehold/core/testing/PropertyMergesContract"
import { Layer } from "effect"

const ports = Layer.mergeAll(
  BundleSourcePg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  PropertiesPg.layer,
  PropertyMergesPg.layer,
  SeederPg.layer
)

propertyMergesContract("over PostgreSQL", ports.pipe(Layer.provide(TestDatabase.layer)))
