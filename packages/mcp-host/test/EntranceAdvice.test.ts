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

describe("What is told to do about a request that is not let in", () => {
  it.each<readonly [Refusal, Parameters<typeof EntranceAdvice.of>[1], ReturnType<typeof EntranceAdvice.of>]>([
    [new OrgSuspended(), null, { ask: "operator" }],
    [new GrantRevoked(), null, { ask: "admin" }],
    [new OrgSuspensionUnavailable({ retryAfterSeconds: 5 }), null, { retry_after_seconds: 5 }],
    [new ScopeNotGranted({ scope: "mcp" }), null, { ask: "admin" }],
    [new ScopeNotGranted({ scope: "mcp" }), "scope", { ask: "member" }],
    [new Unauthenticated(), "token", undefined]
  ])("%s", (refused, lack, expected) => {
    assert.deepStrictEqual(EntranceAdvice.of(refused, lack), expected)
  })

  it.effect("is told by a program that forwards to the server, and said", () =>
    Effect.gen(function*() {
      const error = "This organization is suspended."
      const meta = { code: "ORG_SUSPENDED", next: { ask: "operator" } }
      const url = yield* served((_, response) => {
        response.writeHead(403, { "content-type": "application/json" })
        response.end(JSON.stringify({ success: false, error, code: "ORG_SUSPENDED", meta }))
      })
      const { ask } = RemoteSource.make(`${url}/v1`, Redacted.make("made-up-key"))
      assert.deepStrictEqual(yield* ask("tools/call", { name: "service_get_credit_balance" }), {
        content: [{ type: "text", text: `${error} The operator of this service can help.` }],
        structuredContent: { error, ...meta },
        isError: true
      })
    }))
})
