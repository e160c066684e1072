/** `CustomerAccountsMemory` under the contract of every `CustomerAccounts`. */
import { describe } from "@effect/vitest"
import * as CustomerAccountsMemory from "@freehold/core/memory/customer/CustomerAccountsMemory"
import * as EventLogMemory from "@freehold/core/memory/event/EventLogMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import { customerAccountsContract } from "@freehold/core/testing/CustomerAccountsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

const ports = Layer.mergeAll(
  CustomerAccountsMemory.layer,
  EventLogMemory.layer,
  PipelineMemory.layer,
  SeederMemory.layer
).pipe(Layer.provide(MemoryState.layer))

describe("CustomerAccountsMemory", () => {
  customerAccountsContract(ports)
})
