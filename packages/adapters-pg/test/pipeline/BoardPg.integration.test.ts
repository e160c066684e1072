/** `BoardPg` under the contract of every `Board`, on a real PostgreSQL. */
import { describe } from "@effect/vitest"
import { boardContract } from "@freehold/core/testing/BoardContract"
import { Layer } from "effect"
import * as BoardPg from "../../src/pipeline/BoardPg.ts"
import * as PipelinePg from "../../src/pipeline/PipelinePg.ts"
import * as TasksPg from "../../src/task/TasksPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

describe("BoardPg", () => {
  boardContract(
    Layer.mergeAll(BoardPg.layer, PipelinePg.layer, TasksPg.layer, SeederPg.layer).pipe(
      Layer.provide(TestDatabase.layer)
    )
  )
})
