/** `Notes` and `Tasks` over PostgreSQL against their contract. */
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as NotesPg from "@freehold/adapters-pg/note/NotesPg"
import * as TasksPg from "@freehold/adapters-pg/task/TasksPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { notesContract } from "@freehold/core/testing/NotesContract"
import { Layer } from "effect"

notesContract(
  "over PostgreSQL",
  Layer.mergeAll(NotesPg.layer, TasksPg.layer, BundleSourcePg.layer, SeederPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)
