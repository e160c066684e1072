/** `RetentionMemory` under the contract of every `Retention`. */
import { describe } from "@effect/vitest"
import * as OperatorSessionsMemory from "@freehold/core/memory/access/OperatorSessionsMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as RetentionMemory from "@freehold/core/memory/retention/RetentionMemory"
import * as DeliveriesMemory from "@freehold/core/memory/webhook/DeliveriesMemory"
import * as WebhookEndpointsMemory from "@freehold/core/memory/webhook/WebhookEndpointsMemory"
import { retentionContract } from "@freehold/core/testing/RetentionContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const ports = Layer.mergeAll(
  RetentionMemory.layer,
  NoticesMemory.layer,
  OperatorSessionsMemory.layer,
  PipelineMemory.layer,
  WebhookEndpointsMemory.layer,
  DeliveriesMemory.layer,
  SeederMemory.layer
).pipe(Layer.provideMerge(LedgerMemory.layer), Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))

describe("RetentionMemory", () => {
  retentionContract(ports)
})
