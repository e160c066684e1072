/** `ChangesMemory` under the contract of every `Changes`. */
import { describe } from "@effect/vitest"
import * as ChangesMemory from "@freehold/core/memory/change/ChangesMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { changesContract } from "@freehold/core/testing/ChangesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const ports = Layer.mergeAll(
  ChangesMemory.layer,
  DeliveriesMemory.layer,
  OrganizationsMemory.layer,
  PropertyMergesMemory.layer,
  SeederMemory.layer,
  SuppressionsMemory.layer,
  WebhookEndpointsMemory.layer
).pipe(Layer.provide(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("ChangesMemory", () => {
  changesContract(ports)
})
