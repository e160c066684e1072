/** The ports of leads and webhooks over a fresh database, with a made-up encryption key. */
import type { Sealer } from "@freehold/core/webhook/Sealer"
import { Layer, Redacted } from "effect"
import * as ChangesPg from "../change/ChangesPg.ts"
import * as LedgerPg from "../credit/LedgerPg.ts"
import * as CustomerAccountsPg from "../customer/CustomerAccountsPg.ts"
import * as EventLogPg from "../event/EventLogPg.ts"
import * as LeadFeedPg from "../lead/LeadFeedPg.ts"
import * as NoticesPg from "../notice/NoticesPg.ts"
import * as OrganizationsPg from "../organization/OrganizationsPg.ts"
import * as PipelinePg from "../pipeline/PipelinePg.ts"
import * as PropertiesPg from "../property/PropertiesPg.ts"
import * as DeliveriesPg from "../webhook/DeliveriesPg.ts"
import * as SealerNode from "../webhook/SealerNode.ts"
import * as WebhookEndpointsPg from "../webhook/WebhookEndpointsPg.ts"
import * as SeederPg from "./SeederPg.ts"

export const key = Redacted.make(new Uint8Array(32).fill(7))

/** Over the clients of the context, sealed by that sealer. */
export const layerUnder = <E>(sealer: Layer.Layer<Sealer, E>) =>
  Layer.mergeAll(
    ChangesPg.layer,
    CustomerAccountsPg.layer,
    EventLogPg.layer,
    PipelinePg.layer,
    LeadFeedPg.layer,
    WebhookEndpointsPg.layer,
    DeliveriesPg.layer,
    NoticesPg.layer,
    OrganizationsPg.layer,
    PropertiesPg.layer,
    SeederPg.layer
  ).pipe(Layer.provideMerge(LedgerPg.layer), Layer.provideMerge(sealer))

/** Over the clients of the context, sealed by `key`. */
export const layer = layerUnder(SealerNode.layer(key))
