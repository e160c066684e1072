/** The ports of leads and webhooks over a fresh database, with a made-up encryption key. */
import { Layer, Redacted } from "effect"
import * as ChangesPg from "../ChangesPg.ts"
import * as CustomerAccountsPg from "../CustomerAccountsPg.ts"
import * as DeliveriesPg from "../DeliveriesPg.ts"
import * as EventLogPg from "../EventLogPg.ts"
import * as LeadFeedPg from "../LeadFeedPg.ts"
import * as LedgerPg from "../LedgerPg.ts"
import * as OrganizationsPg from "../OrganizationsPg.ts"
import * as PipelinePg from "../PipelinePg.ts"
import * as SealerNode from "../SealerNode.ts"
import * as WebhookEndpointsPg from "../WebhookEndpointsPg.ts"
import * as SeederPg from "./SeederPg.ts"

export const key = Redacted.make(new Uint8Array(32).fill(7))

/** Over the clients of the context. */
export const layer = Layer.mergeAll(
  ChangesPg.layer,
  CustomerAccountsPg.layer,
  EventLogPg.layer,
  PipelinePg.layer,
  LeadFeedPg.layer,
  WebhookEndpointsPg.layer,
  DeliveriesPg.layer,
  OrganizationsPg.layer,
  SeederPg.layer
).pipe(Layer.provideMerge(LedgerPg.layer), Layer.provideMerge(SealerNode.layer(key)))
