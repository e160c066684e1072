/** `PropertyMerges` over PostgreSQL against its contract. */
import * as BundleSourcePg from "@freehold/adapters-pg/BundleSourcePg"
import * as CustomerAccountsPg from "@freehold/adapters-pg/CustomerAccountsPg"
import * as LedgerPg from "@freehold/adapters-pg/LedgerPg"
import * as NotesPg from "@freehold/adapters-pg/NotesPg"
import * as OrganizationsPg from "@freehold/adapters-pg/OrganizationsPg"
import * as PipelinePg from "@freehold/adapters-pg/PipelinePg"
import * as PropertiesPg from "@freehold/adapters-pg/PropertiesPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/PropertyMergesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { propertyMergesContract } from "@freehold/core/testing/PropertyMergesContract"
import { Layer } from "effect"

const ports = Layer.mergeAll(
  BundleSourcePg.layer,
  CustomerAccountsPg.layer,
  LedgerPg.layer,
  NotesPg.layer,
  OrganizationsPg.layer,
  PipelinePg.layer,
  PropertiesPg.layer,
  PropertyMergesPg.layer,
  SeederPg.layer
)

propertyMergesContract("over PostgreSQL", ports.pipe(Layer.provide(TestDatabase.layer)))
