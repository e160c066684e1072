import * as OperatorLogMemory from "@freehold/core/memory/administration/OperatorLogMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { operatorLogContract } from "@freehold/core/testing/OperatorLogContract"
import { Layer } from "effect"

operatorLogContract("memory", OperatorLogMemory.layer.pipe(Layer.provide(MemoryState.layer)))
