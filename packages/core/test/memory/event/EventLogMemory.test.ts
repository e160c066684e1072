/** `EventLogMemory` under the contract of every `EventLog`. */
import { describe } from "@effect/vitest"
import * as EventLogMemory from "@freehold/core/memory/event/EventLogMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import { eventLogContract } from "@freehold/core/testing/EventLogContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

const ports = Layer.mergeAll(
  EventLogMemory.layer,
  PipelineMemory.layer,
  SeederMemory.layer
).pipe(Layer.provide(MemoryState.layer))

describe("EventLogMemory", () => {
  eventLogContract(ports)
})
