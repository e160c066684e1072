/** `LeadFeedMemory` under the contract of every `LeadFeed`. */
import { describe } from "@effect/vitest"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as LeadFeedMemory from "@freehold/core/memory/lead/LeadFeedMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { leadFeedContract } from "@freehold/core/testing/LeadFeedContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const ports = Layer.mergeAll(
  PipelineMemory.layer,
  LeadFeedMemory.layer,
  WebhookEndpointsMemory.layer,
  DeliveriesMemory.layer,
  OrganizationsMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("LeadFeedMemory", () => {
  leadFeedContract(ports)
})
