/** `PropertyMerges` over PostgreSQL against its contract. */
import * as LedgerPg from "@freehold/adapters-pg/credit/LedgerPg"
import * as CustomerAccountsPg from "@freehold/adapters-pg/customer/CustomerAccountsPg"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as NotesPg from "@freehold/adapters-pg/note/NotesPg"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as PipelinePg from "@freehold/adapters-pg/pipeline/PipelinePg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
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
