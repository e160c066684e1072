import { assert, describe, it } from "@effect/vitest"
import {
  GrantRevoked,
  OrgSuspended,
  OrgSuspensionUnavailable,
  ScopeNotGranted,
  Unauthenticated
} from "@freehold/core/access/AccessRefusals"
import { Effect, Redacted } from "effect"
import * as EntranceAdvice from "../src/EntranceAdvice.ts"
import * as RemoteSource from "../src/RemoteSource.ts"
import type { Refusal } from "../src/ToolResult.ts"
import { served } from "./Loopback.ts"

const operator = "The operator of this service can help."

describe("What is told to do about a request that is not let in", () => {
  it.each<readonly [Refusal, Parameters<typeof EntranceAdvice.of>[1], EntranceAdvice.Advice | undefined]>([
    [new OrgSuspended(), null, { next: { ask: "operator" }, sentence: operator }],
    // Its own sentence says who can help.
    [new GrantRevoked(), null, { next: { ask: "admin" }, sentence: "" }],
    [
      new OrgSuspensionUnavailable({ retryAfterSeconds: 5 }),
      null,
      { next: { retry_after_seconds: 5 }, sentence: "Next: the same call after 5 s." }
    ],
    [
      new ScopeNotGranted({ scope: "mcp" }),
      null,
      { next: { ask: "admin" }, sentence: "An admin of your organization can help." }
    ],
    [
      new ScopeNotGranted({ scope: "mcp" }),
      "scope",
      { next: { ask: "member" }, sentence: "The person whom you act for can help." }
    ],
    [new Unauthenticated(), "token", undefined]
  ])("%s", (refused, lack, expected) => {
    assert.deepStrictEqual(EntranceAdvice.of(refused, lack), expected)
  })

  it.effect("is said once by a program that forwards to the server", () =>
    Effect.gen(function*() {
      const error = `This organization is suspended. ${operator}`
      const meta = { code: "ORG_SUSPENDED", next: { ask: "operator" } }
      const url = yield* served((_, response) => {
        response.writeHead(403, { "content-type": "application/json" })
        response.end(JSON.stringify({ success: false, error, code: "ORG_SUSPENDED", meta }))
      })
      const { ask } = RemoteSource.make(`${url}/v1`, Redacted.make("made-up-key"))
      assert.deepStrictEqual(yield* ask("tools/call", { name: "service_get_credit_balance" }), {
        content: [{ type: "text", text: error }],
        structuredContent: { error, ...meta },
        isError: true
      })
    }))
})
