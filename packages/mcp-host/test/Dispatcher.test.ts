import { assert, describe, layer } from "@effect/vitest"
import * as Deadline from "@freehold/core/load/Deadline"
import { Workload } from "@freehold/core/load/Workload"
import { Idempotency } from "@freehold/core/operation/Idempotency"
import { DeepResearchContact } from "@freehold/core/research/ResearchOperations"
import { Deferred, Effect, Fiber, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { capabilities } from "../src/Answers.ts"
import * as Dispatcher from "../src/Dispatcher.ts"
import type { Headers } from "../src/Revision.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const serverInfo = { name: "freehold", version: "1.2.3" }
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const call = (method: unknown, params?: unknown, id: unknown = 7) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params })
})
const balanceCall = { name: "service_get_credit_balance", arguments: {} }

const modernHeaders = (method: string, name?: string): Headers => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name })
})
const callHeaders = modernHeaders("tools/call", balanceCall.name)

const send = Effect.fnUntraced(function*(body: unknown, headers: Headers = {}) {
  const dispatcher = yield* Dispatcher.make(serverInfo)
  const answer = yield* StubCatalogue.asCaller(dispatcher.handle(body, headers))
  return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) }
})

interface ErrorRow {
  readonly situation: string
  readonly body: unknown
  readonly headers?: Headers
  readonly status: number
  readonly code: number
  readonly id?: unknown
}

const errors: ReadonlyArray<ErrorRow> = [
  { situation: "null", body: null, status: 400, code: -32600, id: null },
  { situation: "a text", body: "tools/list", status: 400, code: -32600, id: null },
  { situation: "a batch", body: [call("tools/list")], status: 400, code: -32600, id: null },
  { situation: "an empty batch", body: [], status: 400, code: -32600, id: null },
  {
    situation: "another version of JSON-RPC",
    body: { jsonrpc: "1.0", id: 7, method: "ping" },
    status: 400,
    code: -32600
  },
  { situation: "a response", body: { jsonrpc: "2.0", id: 7, result: {} }, status: 400, code: -32600 },
  { situation: "an id of null", body: call("ping", undefined, null), status: 400, code: -32600, id: null },
  { situation: "an id that is a fraction", body: call("ping", undefined, 1.5), status: 400, code: -32600, id: null },
  { situation: "a method that is no text", body: call(1), status: 400, code: -32600 },
  { situation: "bare: an unknown method", body: call("made/up"), status: 200, code: -32601 },
  {
    situation: "legacy: an unknown method",
    body: call("made/up"),
    headers: { "mcp-protocol-version": "2025-06-18" },
    status: 200,
    code: -32601
  },
  {
    situation: "modern: an unknown method",
    body: call("made/up", { _meta: meta }),
    headers: modernHeaders("made/up"),
    status: 404,
    code: -32601
  },
  {
    situation: "modern: initialize",
    body: call("initialize", { _meta: meta }),
    headers: modernHeaders("initialize"),
    status: 404,
    code: -32601
  },
  {
    situation: "modern: ping",
    body: call("ping", { _meta: meta }),
    headers: modernHeaders("ping"),
    status: 404,
    code: -32601
  },
  { situation: "an unknown tool", body: call("tools/call", { name: "x" }), status: 200, code: -32602 },
  {
    situation: "modern: an unknown tool",
    body: call("tools/call", { name: "x", _meta: meta }),
    headers: modernHeaders("tools/call", "x"),
    status: 200,
    code: -32602
  },
  { situation: "no params", body: call("tools/call"), status: 200, code: -32602 },
  { situation: "params that are a list", body: call("tools/call", ["x"]), status: 200, code: -32602 },
  { situation: "no name", body: call("tools/call", { arguments: {} }), status: 200, code: -32602 },
  {
    situation: "modern: no name",
    body: call("tools/call", { _meta: meta }),
    headers: modernHeaders("tools/call"),
    status: 200,
    code: -32602
  },
  {
    situation: "arguments that are a list",
    body: call("tools/call", { ...balanceCall, arguments: [] }),
    status: 200,
    code: -32602
  },
  {
    situation: "arguments of null",
    body: call("tools/call", { ...balanceCall, arguments: null }),
    status: 200,
    code: -32602
  },
  { situation: "a cursor for the list", body: call("tools/list", { cursor: "2" }), status: 200, code: -32602 },
  {
    situation: "modern: a revision that is no text",
    body: call("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": 1 } }),
    headers: modernHeaders("tools/list"),
    status: 400,
    code: -32602
  },
  {
    situation: "modern: no client capabilities",
    body: call("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    headers: modernHeaders("tools/list"),
    status: 400,
    code: -32602
  },
  {
    situation: "server/discover without _meta",
    body: call("server/discover"),
    headers: modernHeaders("server/discover"),
    status: 400,
    code: -32602
  },
  {
    situation: "the modern revision in the header and not in the body",
    body: call("tools/list", {}),
    headers: modernHeaders("tools/list"),
    status: 400,
    code: -32602
  },
  {
    situation: "a header that names no known revision",
    body: call("tools/list"),
    headers: { "mcp-protocol-version": "2019-01-01" },
    status: 400,
    code: -32022
  },
  {
    situation: "modern: an unknown revision",
    body: call("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } }),
    headers: { ...modernHeaders("tools/list"), "mcp-protocol-version": "2031-01-01" },
    status: 400,
    code: -32022
  },
  {
    situation: "modern: an unknown revision that the header contradicts",
    body: call("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } }),
    headers: modernHeaders("tools/list"),
    status: 400,
    code: -32020
  },
  {
    situation: "modern: another revision in the header",
    body: call("tools/list", { _meta: meta }),
    headers: { ...modernHeaders("tools/list"), "mcp-protocol-version": "2025-11-25" },
    status: 400,
    code: -32020
  },
  {
    situation: "modern: no revision in the header",
    body: call("tools/list", { _meta: meta }),
    headers: { "mcp-method": "tools/list" },
    status: 400,
    code: -32020
  },
  {
    situation: "modern: no Mcp-Method",
    body: call("tools/list", { _meta: meta }),
    headers: { "mcp-protocol-version": "2026-07-28" },
    status: 400,
    code: -32020
  },
  {
    situation: "modern: another Mcp-Method",
    body: call("tools/list", { _meta: meta }),
    headers: modernHeaders("tools/call"),
    status: 400,
    code: -32020
  },
  {
    situation: "modern: no Mcp-Name",
    body: call("tools/call", { ...balanceCall, _meta: meta }),
    headers: modernHeaders("tools/call"),
    status: 400,
    code: -32020
  },
  {
    situation: "modern: another Mcp-Name",
    body: call("tools/call", { ...balanceCall, _meta: meta }),
    headers: modernHeaders("tools/call", "service_get_account"),
    status: 400,
    code: -32020
  },
  {
    situation: "modern: an Mcp-Name that is not base64",
    body: call("tools/call", { ...balanceCall, _meta: meta }),
    headers: modernHeaders("tools/call", "=?base64?%%%?="),
    status: 400,
    code: -32020
  },
  {
    situation: "a defect",
    body: call("tools/call", { name: "service_get_account" }),
    status: 200,
    code: -32603
  }
]

layer(StubCatalogue.answers)("Dispatcher", (it) => {
  describe("answers with an error", () => {
    it.effect.each([...errors])(
      "$situation: $status, $code",
      ({ body, code, headers, id = 7, status }) =>
        Effect.gen(function*() {
          const answer = yield* send(body, headers)
          assert.strictEqual(answer.status, status)
          assert.deepInclude(answer.body, { jsonrpc: "2.0", id })
          assert.strictEqual(answer.body.error.code, code)
        })
    )
  })

  it.effect("names the revisions that it speaks when it is asked for another", () =>
    Effect.gen(function*() {
      const { body } = yield* send(call("tools/list"), { "mcp-protocol-version": "2019-01-01" })
      assert.deepStrictEqual(body.error.data, {
        supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
        requested: "2019-01-01"
      })
    }))

  it.effect("gives the request id of a defect and nothing else about it", () =>
    Effect.gen(function*() {
      const { body } = yield* send(call("tools/call", { name: "service_get_account" }))
      assert.deepStrictEqual(body.error, { code: -32603, message: "Internal error", data: { request_id: "request-1" } })
    }))

  describe("notifications", () => {
    it.effect.each([
      { body: { jsonrpc: "2.0", method: "notifications/initialized" }, headers: {} },
      { body: { jsonrpc: "2.0", method: "tools/call", params: balanceCall }, headers: {} },
      { body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta: meta } }, headers: callHeaders }
    ])("are accepted and not answered", ({ body, headers }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* send(body, headers), { status: 202, body: null })
      }))
  })

  describe("legacy", () => {
    it.effect.each([
      { requested: "2025-11-25", answered: "2025-11-25" },
      { requested: "2025-06-18", answered: "2025-06-18" },
      { requested: "2025-03-26", answered: "2025-03-26" },
      { requested: "2024-11-05", answered: "2025-11-25" },
      { requested: undefined, answered: "2025-11-25" }
    ])(
      "initialize with $requested begins $answered, without a session",
      ({ answered, requested }) =>
        Effect.gen(function*() {
          const { body, status } = yield* send(call("initialize", { protocolVersion: requested, capabilities: {} }))
          assert.strictEqual(status, 200)
          assert.deepInclude(body.result, {
            protocolVersion: answered,
            capabilities,
            serverInfo
          })
          assert.isString(body.result.instructions)
        })
    )

    it.effect("stays legacy when Mcp-Method is sent, and ignores what it says", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send(call("tools/list"), {
          "mcp-protocol-version": "2025-06-18",
          "mcp-method": "tools/call",
          "mcp-session-id": "made-up"
        })
        assert.strictEqual(status, 200)
        assert.sameMembers(Object.keys(body.result), ["tools"])
      }))
  })

  describe("bare", () => {
    it.effect.each([{ id: 7 }, { id: "seven" }])(
      "ping with id $id answers an empty object",
      ({ id }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* send(call("ping", undefined, id)), {
            status: 200,
            body: { jsonrpc: "2.0", id, result: {} }
          })
        })
    )

    it.effect("calls a tool without any handshake or header", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send(call("tools/call", balanceCall))
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.result, {
          content: [{ type: "text", text: JSON.stringify(StubCatalogue.balance) }],
          structuredContent: StubCatalogue.balance
        })
      }))

    it.effect("calls a tool without arguments", () =>
      Effect.gen(function*() {
        const { body } = yield* send(call("tools/call", { name: balanceCall.name }))
        assert.deepStrictEqual(body.result.structuredContent, StubCatalogue.balance)
      }))
  })

  describe("the price of a call", () => {
    const reveal = { name: "service_reveal_property", arguments: { id: "made-up-1", maxCredits: 0 } }
    const asking = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } }
    const yes = { cost: { action: "accept", content: { confirm: true } } }
    const sendCall = (params: object, _meta: object = asking) =>
      Effect.map(
        send(call("tools/call", { ...params, _meta }), modernHeaders("tools/call", reveal.name)),
        ({ body }) => body.result
      )

    it.effect("is asked of the person behind a client that can ask, and agreed to by a yes", () =>
      Effect.gen(function*() {
        const { inputRequests, requestState, resultType } = yield* sendCall(reveal)
        assert.strictEqual(resultType, "input_required")
        assert.strictEqual(inputRequests.cost.method, "elicitation/create")
        assert.strictEqual(
          inputRequests.cost.params.message,
          "Unlock a property (id made-up-1): this costs 10 credits. 40 are there. Spend them?"
        )
        const done = yield* sendCall({ ...reveal, inputResponses: yes, requestState })
        assert.deepInclude(done, {
          resultType: "complete",
          structuredContent: { ...done.structuredContent, creditsCharged: 10 }
        })
      }))

    it.effect("names the places that were told with it, in the right number", () =>
      Effect.gen(function*() {
        const questionOf = (id: string) =>
          Effect.map(
            sendCall({ ...reveal, arguments: { id, maxCredits: 0 } }),
            ({ inputRequests }) => inputRequests.cost
          )
        const one = yield* questionOf("of-a-place")
        assert.strictEqual(
          one.params.message,
          "Unlock a property (Jo Sample; 1 Sample Street): this costs 1 credit. 1 is there. To read what it opens takes 1 record; " +
            "2 may be taken now. Spend it?"
        )
        assert.strictEqual(one.params.requestedSchema.properties.confirm.title, "Spend 1 credit")
        const many = yield* questionOf("of-many")
        assert.strictEqual(
          many.params.message,
          "Unlock a property (1 Sample Street; 2 Sample Street; and 5 more): this costs 70 credits. 80 are there. " +
            "1 of what was named is skipped: NOT_FOUND. Spend them?"
        )
      }))

    it.effect("is asked and agreed to about the arguments as they are read", () =>
      Effect.gen(function*() {
        const wrapped = { ...reveal, arguments: { input: { id: "made-up-5", maxCredits: 0 } } }
        const { inputRequests, requestState } = yield* sendCall(wrapped)
        assert.include(inputRequests.cost.params.message, "(id made-up-5)")
        const done = yield* sendCall({ ...wrapped, inputResponses: yes, requestState })
        assert.strictEqual(done.structuredContent.creditsCharged, 10)
      }))

    it.effect("is agreed to for the property that it was asked about, whichever is the default by then", () =>
      Effect.gen(function*() {
        const { name } = DeepResearchContact
        const deep = { name, arguments: { contact_id: "00000000-0000-4000-8000-000000000022", maxCredits: 0 } }
        const sendDeep = (params: object) =>
          Effect.map(
            send(call("tools/call", { ...params, _meta: asking }), modernHeaders("tools/call", name)),
            ({ body }) => body.result
          )
        const first = yield* sendDeep(deep)
        const second = yield* sendDeep(deep)
        const told: Array<string> = []
        for (const { requestState } of [second, first]) {
          const done = yield* sendDeep({ ...deep, inputResponses: yes, requestState })
          told.push(done.structuredContent.property_id)
        }
        assert.sameMembers(told, [...StubCatalogue.propertyIds])
        // The stub takes them by turns.
        const third = yield* sendDeep({ ...deep, arguments: { ...deep.arguments, maxCredits: 10 } })
        assert.strictEqual(told[1], third.structuredContent.property_id)
      }))

    it.effect("is asked of a member with what is left of the own limit", () =>
      Effect.gen(function*() {
        const { inputRequests } = yield* sendCall({
          ...reveal,
          arguments: { id: "of-a-limited-member", maxCredits: 0 }
        })
        assert.include(inputRequests.cost.params.message, "40 are there, and 12 left of your own monthly limit.")
      }))

    it.effect("is refused as ever to a client that cannot ask, and after anything but a yes", () =>
      Effect.gen(function*() {
        const { requestState } = yield* sendCall(reveal)
        const no = { cost: { action: "decline" } }
        const unsure = { cost: { action: "accept", content: { confirm: false } } }
        const code = { "structuredContent.code": "COST_CONFIRMATION_REQUIRED" }
        const unasked = yield* sendCall(reveal, meta)
        assert.deepNestedInclude(unasked, code)
        assert.nestedProperty(unasked, "structuredContent.next")
        for (const inputResponses of [no, unsure]) {
          const declined = yield* sendCall({ ...reveal, inputResponses, requestState })
          assert.deepNestedInclude(declined, code)
          assert.notNestedProperty(declined, "structuredContent.next")
          assert.match(declined.content[0].text, /did not agree to the price; nothing was charged/)
        }
      }))

    it.effect("cannot be agreed to where it was not asked: without our seal, or for another call", () =>
      Effect.gen(function*() {
        const { requestState } = yield* sendCall(reveal)
        const other = { ...reveal, arguments: { ...reveal.arguments, id: "made-up-2" } }
        for (
          const refused of [
            yield* sendCall({ ...reveal, inputResponses: yes }),
            yield* sendCall({ ...reveal, inputResponses: yes, requestState: `x${requestState}` }),
            yield* sendCall({ ...other, inputResponses: yes, requestState })
          ]
        ) assert.deepNestedInclude(refused, { "structuredContent.code": "COST_CONFIRMATION_REQUIRED" })
      }))
  })

  describe("a yes", () => {
    const reveal = { name: "service_reveal_property", arguments: { id: "made-up-3", maxCredits: 0 } }
    const asking = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } }
    const yes = { cost: { action: "accept", content: { confirm: true } } }
    const sendCall = (params: object) =>
      Effect.map(
        send(call("tools/call", { ...params, _meta: asking }), modernHeaders("tools/call", reveal.name)),
        ({ body }) => body.result
      )

    it.effect("counts once: sent again it is refused with the price, and a new question can be asked", () =>
      Effect.gen(function*() {
        const { requestState } = yield* sendCall(reveal)
        const agreed = { ...reveal, inputResponses: yes, requestState }
        const answers = yield* Effect.forEach([1, 2, 3], () => sendCall(agreed), { concurrency: 3 })
        const codes = [...answers, yield* sendCall(agreed)].map(({ structuredContent }) =>
          structuredContent.code ?? structuredContent.creditsCharged
        )
        assert.deepStrictEqual(codes.toSorted(), [10, ...Array(3).fill("COST_CONFIRMATION_REQUIRED")])
        const asked = yield* sendCall(reveal)
        assert.notStrictEqual(asked.requestState, requestState)
        const done = yield* sendCall({ ...reveal, inputResponses: yes, requestState: asked.requestState })
        assert.deepNestedInclude(done, { "structuredContent.creditsCharged": 10 })
      }))

    /** Other work of the caller that is being written has its places for so long, and two more wait behind it. */
    const busy = (work: "point" | "write", seconds: number) =>
      Workload.use(({ standing, within }) =>
        Effect.gen(function*() {
          const place = StubCatalogue.asCaller(
            within(work, Effect.andThen(Deadline.lift, Effect.sleep(`${seconds} seconds`)))
          )
          while (standing()[work].waiting < 2) {
            yield* Effect.forkChild(Effect.ignore(place), { startImmediately: true })
          }
        })
      )

    /** What is answered in the time within which a call is, once the yes is read. `later`: what happens after six seconds. */
    const answered = Effect.fnUntraced(
      function*(params: object, later: Effect.Effect<void, never, Workload> = Effect.void) {
        const begun = yield* Deferred.make<void>()
        const workload = yield* Workload
        const telling = Workload.of({
          ...workload,
          within: (work, effect) => Effect.andThen(Deferred.succeed(begun, undefined), workload.within(work, effect))
        })
        const fiber = yield* Effect.forkChild(Effect.provideService(sendCall(params), Workload, telling))
        yield* Deferred.await(begun)
        yield* TestClock.adjust("6 seconds")
        yield* later
        yield* TestClock.adjust("4 seconds")
        assert.isDefined(fiber.pollUnsafe(), "is answered in time")
        return (yield* Fiber.join(fiber)).structuredContent
      }
    )

    it.effect("waits once, with the call that it agrees to", () =>
      Effect.gen(function*() {
        const { requestState } = yield* sendCall(reveal)
        yield* busy("write", 4)
        const agreed = { ...reveal, inputResponses: yes, requestState }
        assert.deepInclude(yield* answered(agreed, busy("point", 9)), { creditsCharged: 10 })
        yield* TestClock.adjust("20 seconds")
      }))

    it.effect("is none yet where there was no place for the call", () =>
      Effect.gen(function*() {
        const { requestState } = yield* sendCall(reveal)
        const agreed = { ...reveal, inputResponses: yes, requestState }
        yield* busy("write", 12)
        assert.deepInclude(yield* answered(agreed), {
          code: "TEMPORARILY_UNAVAILABLE",
          next: { retry_after_seconds: 2 }
        })
        yield* TestClock.adjust("20 seconds")
        assert.deepNestedInclude(yield* sendCall(agreed), { "structuredContent.creditsCharged": 10 })
      }))

    it.effect("that is written down leaves the call its deadline", () =>
      Effect.gen(function*() {
        const never = { ...reveal, arguments: { id: "of-nobody", maxCredits: 0 } }
        const { requestState } = yield* sendCall(never)
        const { once } = yield* Idempotency
        const writing = Idempotency.of({
          once: (request, effect) => Effect.tap(once(request, effect), () => Deadline.lift)
        })
        const refused = yield* Effect.provideService(
          answered({ ...never, inputResponses: yes, requestState }),
          Idempotency,
          writing
        )
        assert.deepInclude(refused, { code: "TEMPORARILY_UNAVAILABLE" })
      }))
  })

  describe("a method that nobody knows", () => {
    it.effect("is told to whoever receives spans by its beginning", () =>
      Effect.gen(function*() {
        const method = "x".repeat(2000)
        const told: Array<unknown> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            const { attribute } = span
            span.attribute = (key, value) => {
              told.push(value)
              attribute.call(span, key, value)
            }
            return span
          }
        })
        yield* Effect.withTracer(send(call(method)), tracer)
        assert.include(told, `${method.slice(0, 100)}…`)
        assert.notInclude(told, method)
      }))
  })

  describe("modern", () => {
    it.effect("server/discover describes the server, to be kept by this credential alone", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send(
          call("server/discover", { _meta: meta }),
          modernHeaders("server/discover")
        )
        assert.strictEqual(status, 200)
        assert.deepInclude(body.result, {
          resultType: "complete",
          supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
          capabilities,
          ttlMs: 300_000,
          cacheScope: "private",
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo }
        })
        assert.isString(body.result.instructions)
      }))

    it.effect("tools/list carries its life and its scope", () =>
      Effect.gen(function*() {
        const { body } = yield* send(call("tools/list", { _meta: meta }), modernHeaders("tools/list"))
        assert.deepInclude(body.result, { resultType: "complete", ttlMs: 300_000, cacheScope: "private" })
        assert.lengthOf(body.result.tools, StubCatalogue.toolNames.length)
      }))

    it.effect.each([
      { named: "plain", name: balanceCall.name },
      { named: "in base64", name: `=?base64?${btoa(balanceCall.name)}?=` },
      { named: "with spaces around it", name: ` ${balanceCall.name} ` }
    ])("tools/call answers when Mcp-Name is $named", ({ name }) =>
      Effect.gen(function*() {
        const { body, status } = yield* send(
          call("tools/call", { ...balanceCall, _meta: meta }),
          modernHeaders("tools/call", name)
        )
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.result, {
          resultType: "complete",
          content: [{ type: "text", text: JSON.stringify(StubCatalogue.balance) }],
          structuredContent: StubCatalogue.balance,
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo }
        })
      }))
  })

  describe("a tool that refuses", () => {
    it.effect("answers wrong arguments with their issues, as a result", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send(
          call("tools/call", { name: "service_search_properties", arguments: { limit: 900, made: 1 } })
        )
        assert.strictEqual(status, 200)
        assert.isTrue(body.result.isError)
        const { code, issues, next } = body.result.structuredContent
        assert.strictEqual(code, "INVALID_ARGUMENTS")
        assert.deepStrictEqual(issues.map(({ field }: { readonly field: string }) => field), ["made", "limit"])
        assert.strictEqual(issues[0].message, "Unknown key")
        assert.strictEqual(issues[1].message, "Expected a value between 1 and 200")
        assert.strictEqual(next.tool, "service_search_properties")
        assert.property(next.arguments, "filters")
        assert.include(body.result.content[0].text, "limit: Expected a value between 1 and 200")
      }))

    it.effect("answers unknown arguments of a tool that takes none", () =>
      Effect.gen(function*() {
        const { body } = yield* send(call("tools/call", { ...balanceCall, arguments: { made: 1 } }))
        assert.deepInclude(body.result.structuredContent, { code: "INVALID_ARGUMENTS" })
      }))

    it.effect("answers with code, sentence and detail", () =>
      Effect.gen(function*() {
        const { body, status } = yield* send(
          call("tools/call", { name: "service_reveal_property", arguments: { id: "made-up-1", maxCredits: 0 } })
        )
        const { code, error, ...detail } = body.result.structuredContent
        assert.strictEqual(status, 200)
        assert.isTrue(body.result.isError)
        assert.strictEqual(code, "COST_CONFIRMATION_REQUIRED")
        const again = { id: "made-up-1", maxCredits: 10 }
        assert.deepStrictEqual(detail, {
          projectedCredits: 10,
          maxCredits: 0,
          balance: 40,
          ownLimitRemaining: null,
          next: { tool: "service_reveal_property", arguments: again }
        })
        const text = `${error} Next: service_reveal_property ${JSON.stringify(again)}.`
        assert.deepStrictEqual(body.result.content, [{ type: "text", text }])
      }))

    it.effect("keeps a detail that is called cause", () =>
      Effect.gen(function*() {
        const { body } = yield* send(
          call("tools/call", { name: "service_search_properties", arguments: { query: "outside" } })
        )
        assert.deepInclude(body.result.structuredContent, {
          code: "NO_VISIBLE_TERRITORY",
          cause: "no_serviceable_area"
        })
      }))
  })
})
