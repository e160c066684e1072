/** `DeliveriesMemory` under the contract of every `Deliveries`. */
import { describe } from "@effect/vitest"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as LeadFeedMemory from "@freehold/core/memory/lead/LeadFeedMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { deliveriesContract } from "@freehold/core/testing/DeliveriesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const ports = Layer.mergeAll(
  PipelineMemory.layer,
  LeadFeedMemory.layer,
  WebhookEndpointsMemory.layer,
  DeliveriesMemory.layer,
  NoticesMemory.layer,
  OrganizationsMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("DeliveriesMemory", () => {
  deliveriesContract(ports)
})
