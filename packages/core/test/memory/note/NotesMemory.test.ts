/** `Notes` and `Tasks` in memory against their contract. */
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NotesMemory from "@freehold/core/memory/note/NotesMemory"
import * as TasksMemory from "@freehold/core/memory/task/TasksMemory"
import { notesContract } from "@freehold/core/testing/NotesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

notesContract(
  "in memory",
  Layer.mergeAll(NotesMemory.layer, TasksMemory.layer, BundleSourceMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)
