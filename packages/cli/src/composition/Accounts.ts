/** The ports about organizations, whatever records there are, over PostgreSQL. */
import * as ApiKeyCellPg from "@freehold/adapters-pg/access/ApiKeyCellPg"
import * as ConnectionsPg from "@freehold/adapters-pg/access/ConnectionsPg"
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as AdministrationLogPg from "@freehold/adapters-pg/administration/AdministrationLogPg"
import * as OperatorLogPg from "@freehold/adapters-pg/administration/OperatorLogPg"
import * as LedgerPg from "@freehold/adapters-pg/credit/LedgerPg"
import * as OrganizationsPg from "@freehold/adapters-pg/organization/OrganizationsPg"
import * as OperatorRequestsPg from "@freehold/adapters-pg/request/OperatorRequestsPg"
import { Layer } from "effect"
import { onlyIfMigrated, timed } from "./Foundation.ts"

export const accounts = Layer.mergeAll(
  ApiKeyCellPg.layer,
  ConnectionsPg.layer,
  KeyRingPg.layer,
  AdministrationLogPg.layer,
  OperatorLogPg.layer,
  LedgerPg.layer,
  OrganizationsPg.layer,
  OperatorRequestsPg.layer
)

/** What commands about organizations use, and nothing that takes longer to load; the database must be migrated. */
export const accounting = accounts.pipe(Layer.provideMerge(onlyIfMigrated), Layer.provideMerge(timed))
