/** `PipelineMemory` under the contract of every `Pipeline`. */
import { describe } from "@effect/vitest"
import * as CustomerAccountsMemory from "@freehold/core/memory/CustomerAccountsMemory"
import * as DeliveriesMemory from "@freehold/core/memory/DeliveriesMemory"
import * as EventLogMemory from "@freehold/core/memory/EventLogMemory"
import * as LeadFeedMemory from "@freehold/core/memory/LeadFeedMemory"
import * as LedgerMemory from "@freehold/core/memory/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/PipelineMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/WebhookEndpointsMemory"
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
  SeederMemory.layer
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("PipelineMemory", () => {
  pipelineContract(ports)
})
