/** The CRMs of organizations, and what asks them; the database must be migrated. */
import { CrmDesk } from "@freehold/core/webhook/CrmDesk"
import { Layer } from "effect"
import { webhooks } from "./Composition.ts"
import * as CrmPusherConfigured from "./CrmPusherConfigured.ts"

export const crms = CrmDesk.layer.pipe(
  Layer.provide(CrmPusherConfigured.layer),
  Layer.provideMerge(webhooks)
)
