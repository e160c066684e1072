/** Servers that send informational responses without end, to what asks by `node:http`. `Sender` has its own test. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { CrmCall } from "../src/CrmCall.ts"
import { GuardedGet } from "../src/GuardedGet.ts"
import * as Receiver from "./Receiver.ts"

/** The address of one that sends so many before its answer. */
const sending = (count: number) =>
  Effect.map(
    Receiver.raw((socket) =>
      socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(count) + "HTTP/1.1 204 No Content\r\n\r\n")
    ),
    ({ allClosed, port }) => ({ allClosed, url: `http://127.0.0.1:${port}/` })
  )

const reason = "sends more than 20 informational responses"

describe("twenty informational responses are passed over, and one more ends", () => {
  it.live("the call of a CRM", () =>
    Effect.gen(function*() {
      const ask = (url: string) => CrmCall.use((crm) => crm.ask({ method: "GET", url, headers: {} }))
      assert.strictEqual((yield* ask((yield* sending(20)).url)).status, 204)
      const flood = yield* sending(21)
      assert.deepStrictEqual(yield* Effect.flip(ask(flood.url)), { _tag: "Failed", status: null, reason })
      yield* flood.allClosed
    }).pipe(Effect.provide(CrmCall.layer("any"))))

  it.live("the reading of an address", () =>
    Effect.gen(function*() {
      const get = (url: string) => Effect.scoped(GuardedGet.use((guarded) => guarded.get({ url })))
      assert.strictEqual((yield* get((yield* sending(20)).url)).status, 204)
      const flood = yield* sending(21)
      assert.deepInclude(yield* Effect.flip(get(flood.url)), { reason, refused: false })
      yield* flood.allClosed
    }).pipe(
      Effect.provide(GuardedGet.layer({ policy: "any", patience: Duration.seconds(10), userAgent: "Freehold/test" }))
    ))
})
