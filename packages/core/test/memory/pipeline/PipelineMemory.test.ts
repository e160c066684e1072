/** `PipelineMemory` under the contract of every `Pipeline`. */
import { describe } from "@effect/vitest"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as CustomerAccountsMemory from "@freehold/core/memory/customer/CustomerAccountsMemory"
import * as EventLogMemory from "@freehold/core/memory/event/EventLogMemory"
import * as LeadFeedMemory from "@freehold/core/memory/lead/LeadFeedMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { pipelineContract } from "@freehold/core/testing/PipelineContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const ports = Layer.mergeAll(
  CustomerAccountsMemory.layer,
  EventLogMemory.layer,
  PipelineMemory.layer,
  LeadFeedMemory.layer,
  WebhookEndpointsMemory.layer,
  DeliveriesMemory.layer,
  OrganizationsMemory.layer,
  PropertiesMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("PipelineMemory", () => {
  pipelineContract(ports)
})
