/** `Sources` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as SourcesMemory from "@freehold/core/memory/source/SourcesMemory"
import { sourcesContract } from "@freehold/core/testing/SourcesContract"
import { Layer } from "effect"

sourcesContract("in memory", SourcesMemory.layer.pipe(Layer.provide(MemoryState.layer)))
