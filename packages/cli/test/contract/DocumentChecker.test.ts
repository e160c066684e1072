/** The checker itself: what it lets pass, and that each kind of fault is found. */
import { assert, describe, it } from "vitest"
import { text } from "../../src/Contract.ts"
import { checker } from "./DocumentChecker.ts"

const { faultsOf } = checker(JSON.parse(text()))

const headers = {
  "cache-control": "no-store",
  "service-request-id": "8b8f37d9-1a6f-42aa-9d52-6f2c3a1b7e10",
  "service-version": "2026-09-14",
  "x-ratelimit-limit": "300"
}

const data = { org_id: "org_sample", credential_id: "made up", scopes: ["data:read"], label: "sample" }

const faults = (
  change: { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
) =>
  faultsOf("/me", "GET", {
    status: change.status ?? 200,
    headers: new Headers({ ...headers, ...change.headers }),
    body: change.body ?? { success: true, data }
  })

describe("The checker", () => {
  it("passes an answer as the document tells it", () => assert.deepStrictEqual(faults({}), []))

  it.each([
    ["a status that the endpoint does not have", { status: 418 }],
    ["a field that the document does not have", { body: { success: true, data: { ...data, secret: "fhk_" } } }],
    ["a field that is missing", { body: { success: true, data: { ...data, label: undefined } } }],
    ["a word that the document does not know", { body: { success: true, data: { ...data, scopes: ["everything"] } } }],
    ["a type that is another one", { body: { success: true, data: { ...data, label: 1 } } }],
    ["a failure in the place of a success", { body: { success: false, error: "No." } }],
    ["a header that is cached", { headers: { "cache-control": "public" } }],
    ["a header that is no number", { headers: { "x-ratelimit-limit": "many" } }],
    ["a header that the document does not have", { headers: { "service-secret": "made up" } }]
  ])("finds %s", (_, change) => assert.isNotEmpty(faults(change)))
})
