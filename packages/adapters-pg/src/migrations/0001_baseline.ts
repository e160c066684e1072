/**
 * The schema of the first release: its tables by subject, the functions of the adapters, then what needs both.
 *
 * Organization-owned tables carry `org_id` first in their primary key and property-owned ones `county_fips`, so that the
 * schema can be spread over machines by an existing engine.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as connectionFunctions } from "../access/ConnectionFunctions.ts"
import { functions as keyFunctions } from "../access/KeyFunctions.ts"
import { functions as changeFunctions } from "../change/ChangeFunctions.ts"
import { functions as ledgerFunctions } from "../credit/LedgerFunctions.ts"
import { functions as usageFunctions } from "../credit/UsageFunctions.ts"
import { functions as customerFunctions } from "../customer/CustomerFunctions.ts"
import { functions as momentFunctions } from "../database/MomentFunctions.ts"
import { functions as eventFunctions } from "../event/EventFunctions.ts"
import { functions as listFunctions } from "../list/ListFunctions.ts"
import { functions as noteFunctions } from "../note/NoteFunctions.ts"
import { functions as idempotencyFunctions } from "../operation/IdempotencyFunctions.ts"
import { functions as organizationFunctions } from "../organization/OrganizationFunctions.ts"
import { functions as leadFunctions } from "../pipeline/LeadFunctions.ts"
import { functions as mergeFunctions } from "../property/MergeFunctions.ts"
import { functions as placeFunctions } from "../property/PlaceFunctions.ts"
import { functions as propertyFunctions } from "../property/PropertyFunctions.ts"
import { functions as requestFunctions } from "../request/RequestFunctions.ts"
import { functions as savedSearchFunctions } from "../search/SavedSearchFunctions.ts"
import { functions as ownerFunctions } from "../suppression/OwnerFunctions.ts"
import { functions as personFunctions } from "../suppression/PersonFunctions.ts"
import { functions as deliveryFunctions } from "../webhook/DeliveryFunctions.ts"
import { changes } from "./baseline/changes.ts"
import { credits } from "./baseline/credits.ts"
import { deliveries } from "./baseline/deliveries.ts"
import { events } from "./baseline/events.ts"
import { limits } from "./baseline/limits.ts"
import { organizations } from "./baseline/organizations.ts"
import { people } from "./baseline/people.ts"
import { pipeline } from "./baseline/pipeline.ts"
import { records } from "./baseline/records.ts"
import { research } from "./baseline/research.ts"
import type { Subject } from "./baseline/Subject.ts"
import { suppression } from "./baseline/suppression.ts"
import { workspace } from "./baseline/workspace.ts"

/** A table comes after those that it refers to. */
const subjects: ReadonlyArray<Subject> = [
  organizations,
  records,
  people,
  changes,
  credits,
  limits,
  pipeline,
  workspace,
  events,
  deliveries,
  research,
  suppression
]

/** A function of plain SQL comes after those that it calls. */
const functions: ReadonlyArray<string> = [
  momentFunctions,
  propertyFunctions,
  placeFunctions,
  ownerFunctions,
  personFunctions,
  organizationFunctions,
  keyFunctions,
  connectionFunctions,
  idempotencyFunctions,
  usageFunctions,
  ledgerFunctions,
  customerFunctions,
  leadFunctions,
  listFunctions,
  noteFunctions,
  savedSearchFunctions,
  requestFunctions,
  eventFunctions,
  deliveryFunctions,
  changeFunctions,
  mergeFunctions
].flat()

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = [
    `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
    ...subjects.flatMap(({ tables }) => tables),
    ...functions,
    ...subjects.flatMap(({ indexes = [] }) => indexes),
    ...subjects.flatMap(({ triggers = [] }) => triggers)
  ]
  for (const statement of statements) yield* sql.unsafe(statement)
})
