/**
 * The laws of credits over PostgreSQL, by two applications with connections of their own, and what the auditor
 * says of all that they left.
 *
 * `FREEHOLD_LAW_RUNS` is the number of cases of each law.
 */
import { Elsewhere, ledgerLaws } from "@freehold/core/testing/LedgerLaws"
import { Effect, Layer } from "effect"
import * as ContactsPg from "../../src/contact/ContactsPg.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as BundleSourcePg from "../../src/lead/BundleSourcePg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as PropertiesPg from "../../src/property/PropertiesPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const runs = Number(process.env["FREEHOLD_LAW_RUNS"] ?? 25)

const ports = Layer.mergeAll(
  BundleSourcePg.layer,
  ContactsPg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  PropertiesPg.layer,
  SeederPg.layer
)

/** Another process over the same database: clients and turns of its own. */
const elsewhere = Layer.effect(
  Elsewhere,
  Effect.flatMap(
    TestDatabase.Url,
    (url) => Layer.build(Layer.fresh(ports.pipe(Layer.provide(Database.layer({ url, maxConnections: 4 })))))
  )
)

ledgerLaws("PostgreSQL", Layer.mergeAll(ports, elsewhere, AuditorPg.layer).pipe(Layer.provide(TestDatabase.layer)), {
  runs
})
