/** Examples of the endpoints that open nothing and ask beforehand. All data is made up. */
import { GetCreditLedger } from "@freehold/core/credit/CreditOperations"
import { CheckAccess } from "@freehold/core/lookup/AccessOperations"
import { GetCoverage } from "@freehold/core/lookup/LookupOperations"
import { ResolveProperties } from "@freehold/core/property/PropertyOperations"
import { ListRequests } from "@freehold/core/request/RequestOperations"
import { ListResearchRuns } from "@freehold/core/research/ResearchOperations"
import { example } from "./Example.ts"

export const extensionExamples = [
  example(GetCoverage, { state: "WA" }, {
    counties: [{
      fips: "53903",
      name: "Sample County (made up)",
      state: "WA",
      licensed: true,
      switched_on: true,
      properties: 1204,
      last_refresh: "2026-11-21T03:12:45.000Z",
      sources: [{
        title: "Parcels (made up)",
        licence: "public domain",
        attribution: "Parcels: Sample County (made up)"
      }]
    }],
    total: 1,
    requests: [{
      id: "3f0c2f5e-7a51-4d0c-9b1e-5a2c1f0d7e43",
      status: "closed",
      county_fips: ["53905"],
      asked_by: "Ana (made up)",
      created_at: "2026-11-20T09:30:00.000Z",
      closed_at: "2026-11-21T08:00:00.000Z",
      answer: "The county's records are loaded in December (made up)."
    }],
    requests_total: 1
  }),
  example(ListRequests, { limit: 1 }, {
    requests: [{
      id: "5b0e8a57-1f4c-4a55-9d3b-6f1f0a4c7e21",
      kind: "support",
      status: "closed",
      subject: "A lot has two records (made up)",
      message: "53903-DEMO00001 and 53903-DEMO00002 are one lot (made up).",
      county_fips: null,
      asked_by: "Ana (made up)",
      created_at: "2026-11-20T09:30:00.000Z",
      closed_at: "2026-11-21T08:00:00.000Z",
      answer: "They are merged now (made up)."
    }],
    total: 1,
    next_cursor: null
  }),
  example(ListResearchRuns, { limit: 1 }, {
    runs: [{
      run_id: "019bc2f0-6b1e-7c3a-9d52-2f6a1f0c4e11",
      status: "complete",
      credits_charged: 10,
      action: "deep_research_contact",
      subject_type: "contact",
      subject_ids: ["8fc389b3-679d-5977-84bb-72594243890a"],
      subjects: 1,
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      created_at: "2026-11-22T00:41:02.114Z",
      finished_at: "2026-11-22T00:41:02.530Z",
      credits_returned: 0,
      failed: 0,
      started_by: { kind: "member", name: "Ana (made up)" },
      receipt: 41,
      result: { kind: "strategy", summary: "Managing partner of the owner of 1910 Madeup Boulevard (made up)." },
      evidence: []
    }],
    next_cursor: null
  }),
  example(GetCreditLedger, { limit: 2 }, {
    entries: [{
      entry: 1,
      at: "2026-11-22T00:37:36.785Z",
      kind: "grant",
      ref: "invoice-1",
      action: null,
      subject_type: null,
      subject_id: null,
      credits: 100,
      buckets: { trial: 0, included: 0, enterprise_pool: 0, purchased: 100 },
      balance_after: 100,
      actor: { kind: "operator", id: null, name: null },
      request_id: null,
      refund_of: null
    }, {
      entry: 2,
      at: "2026-11-22T00:38:17.271Z",
      kind: "charge",
      ref: null,
      action: "unlock_property",
      subject_type: "property",
      subject_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      credits: -10,
      buckets: { trial: 0, included: 0, enterprise_pool: 0, purchased: -10 },
      balance_after: 90,
      actor: { kind: "key", id: "5d3c0ad4-0d0c-4a3a-9a7e-0a4f3b0f5c11", name: "CRM" },
      request_id: "0b7f2f9e-3c55-4f6e-8f0a-3a1f5c0f7e21",
      refund_of: null
    }],
    next_cursor: null
  }),
  example(CheckAccess, {
    property_ids: ["041e917e-63c6-5988-91ac-b819a6bed17e"],
    contact_ids: ["8fc389b3-679d-5977-84bb-72594243890a"]
  }, {
    properties: [{
      id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      visible: true,
      revealed: false,
      credits: 10,
      blocked_by: { code: "INSUFFICIENT_CREDITS", message: "This costs 10 credits; 4 are available." }
    }],
    contacts: [{
      id: "8fc389b3-679d-5977-84bb-72594243890a",
      visible: true,
      revealed: true,
      credits: 0,
      blocked_by: null
    }],
    total_credits: 10,
    available_credits: 4
  }),
  example(ResolveProperties, { rows: [{ address: "1910 Made-up Blvd.", state: "WA" }] }, {
    results: [{
      index: 0,
      property_id: null,
      candidates: [{
        property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
        key: "53903-DEMO00002",
        address: "1910 Madeup Boulevard",
        city: "Upper Quill (demo)",
        state: "WA",
        zip: "00022",
        county_fips: "53903",
        apn: "DEMO-00002",
        score: 0.8,
        matched_by: "address"
      }]
    }]
  })
] as const
