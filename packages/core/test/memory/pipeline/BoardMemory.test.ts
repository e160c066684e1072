/** `BoardMemory` under the contract of every `Board`. */
import { describe } from "@effect/vitest"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as BoardMemory from "@freehold/core/memory/pipeline/BoardMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as TasksMemory from "@freehold/core/memory/task/TasksMemory"
import { boardContract } from "@freehold/core/testing/BoardContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

describe("BoardMemory", () => {
  boardContract(
    Layer.mergeAll(BoardMemory.layer, PipelineMemory.layer, TasksMemory.layer, SeederMemory.layer).pipe(
      Layer.provide(MemoryState.layer)
    )
  )
})
