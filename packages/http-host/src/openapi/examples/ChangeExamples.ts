/** An example of the endpoint about changes. All data is made up. */
import { GetChanges } from "@freehold/core/change/ChangeOperations"
import { example } from "./Example.ts"

export const changeExamples = [
  example(GetChanges, { kinds: "manager_change,sale", days: 90, limit: 50 }, {
    changes: [{
      event_id: "5b0f6f0e-64b5-4c07-9b7e-3a3c1f1f7a55",
      signal_id: "c0a3b0c4-0b53-5c6d-8d2f-2f4d58a6b1de",
      kind: "manager_change",
      subject: { type: "property", id: "984d985b-cf50-5a37-86a9-2c9c6d63499b" },
      detected_at: "2026-11-20T09:30:00.000Z",
      source: "research",
      withdrawn: false,
      evidence: {
        field: "management_company",
        before: { value: "Acme Property Management (demo)", organization_id: null },
        after: { value: "Copper Mill Property Management (demo)", organization_id: null },
        observed_at: "2026-11-20T09:30:00.000Z",
        effective_date: null,
        source_kind: "research",
        manager_withheld: false,
        dates_withheld: false,
        owner_withheld: false
      }
    }],
    next_cursor: null
  })
]
