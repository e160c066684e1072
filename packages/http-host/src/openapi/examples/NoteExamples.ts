/** An example of the endpoint about notes. All data is made up. */
import { GetNotes } from "@freehold/core/note/NoteOperations"
import { example } from "./Example.ts"

const propertyId = "984d985b-cf50-5a37-86a9-2c9c6d63499b"

export const noteExamples = [
  example(GetNotes, { propertyId, limit: 50 }, {
    notes: [{
      id: "7b0e3f0a-52c7-4c0b-8a55-6f1d3a9b2c44",
      property_id: propertyId,
      content: "The roof is to be renewed in spring.",
      author: "Ana Sample",
      created_at: "2026-11-22T12:00:00.000Z"
    }]
  })
] as const
