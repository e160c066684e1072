import { assert, describe, it } from "@effect/vitest"
import { Caller, type CallerFacts, type PersonCaller } from "@freehold/core/access/Caller"
import { RecordKinds } from "@freehold/core/catalogue/RecordKinds"
import { GetContact } from "@freehold/core/contact/ContactOperations"
import { NotFound } from "@freehold/core/coverage/CoverageRefusals"
import * as Deadline from "@freehold/core/load/Deadline"
import { Workload } from "@freehold/core/load/Workload"
import { InvalidCursor } from "@freehold/core/operation/InvalidCursor"
import { InvalidInput } from "@freehold/core/operation/InvalidInput"
import { make as makeOperation, type OperationEffect } from "@freehold/core/operation/Operation"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { GetProperty } from "@freehold/core/property/PropertyOperations"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Exit, Fiber, Logger, Predicate, Schema } from "effect"
import { TestClock } from "effect/testing"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { type BoundTool, Toolbox } from "../src/Toolbox.ts"
import type { ToolResult } from "../src/ToolResult.ts"
import * as Tools from "../src/Tools.ts"
import { maximumTokens } from "../src/Truncation.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const tool = (
  run: BoundTool["run"],
  {
    effect = "read",
    gate = null,
    person = "allowed",
    input = Schema.Struct({ limit: Schema.optionalKey(Schema.Int), offset: Schema.optionalKey(Schema.Int) })
  }: {
    readonly effect?: OperationEffect
    readonly gate?: "lists" | "pipeline" | null
    readonly person?: "allowed" | "required"
    readonly input?: Schema.Codec<unknown, unknown>
  } = {}
): BoundTool => ({
  tool: Tools.make(makeOperation("service_made_up", {
    title: "Made up",
    description: "Made up.",
    input,
    output: Schema.Unknown,
    refusals: [],
    access: { scope: "mcp", plan: "enterprise", person, gate },
    effect
  })),
  run
})

/** A toolbox of this one tool. */
const toolboxOf = (bound: BoundTool) =>
  Workload.use((workload) => Effect.succeed(Toolbox.make([bound], workload))).pipe(Effect.provide(Workload.layer))

const call = (bound: BoundTool, input?: unknown) =>
  StubCatalogue.asCaller(Effect.flatMap(toolboxOf(bound), (toolbox) => toolbox.call("service_made_up", input)))

const fieldsOf = (result: ToolResult) => {
  assert.deepStrictEqual(JSON.parse(result.content[0]?.text ?? ""), result.structuredContent)
  return result.structuredContent
}

/** Made-up rows in the manner of full search rows: ids, numbers, upper-case text, nulls. */
const row = (index: number) => ({
  id: `4f0c1d9e-77aa-4c11-9b0e-${String(index).padStart(12, "0")}`,
  key: `53033-${String(index * 7919).padStart(10, "0")}`,
  address: `${index} MADE-UP AVE NE`,
  lat: 47.6 + index / 1e6,
  lon: -122.3 - index / 1e6,
  owner: `EXAMPLE HOLDINGS ${index} LLC`,
  buildingSqft: 10_000 + index,
  yearBuilt: 1950 + index % 70,
  propertyValue: null,
  premiumDataRedacted: true,
  teaser: { contacts: 3, withEmail: 2, withPhone: 1, roleTypes: ["property_manager"], hasBeneficialOwner: false },
  updatedAt: "2026-01-31T00:00:00.000Z"
})
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index))

/** A read that pages as a search does. */
const search: BoundTool["run"] = (input) =>
  Effect.sync(() => {
    const limit = Predicate.hasProperty(input, "limit") && typeof input.limit === "number" ? input.limit : 400
    return { results: rows(limit), has_more: true, next_offset: limit, total_matching: 5000 }
  })

describe("a result above 20,000 tokens", () => {
  it.effect("is asked for again with fewer rows where the tool pages, so that the next page begins after them", () =>
    Effect.gen(function*() {
      const result = yield* call(tool(search), {})
      const shown = fieldsOf(result)
      const { results } = shown
      assert(Array.isArray(results))
      assert.isAbove(results.length, 50)
      assert.isBelow(results.length, 400)
      assert.deepInclude(shown, { truncated: true, next_offset: results.length, total_matching: 5000 })
      assert.deepInclude(shown["truncation"], { list: "results", rows_shown: results.length, rows: 400 })
      const tokens = encode(result.content[0]?.text ?? "").length
      assert.isAtMost(tokens, maximumTokens)
      assert.isAbove(tokens, maximumTokens / 2)
      const input = Schema.Struct({ limit: Schema.Int, cursor: Schema.String, fields: Schema.Array(Schema.String) })
      const { truncation } = fieldsOf(yield* call(tool(search, { effect: "read", input }), {}))
      assert.match(JSON.stringify(truncation), /A smaller limit, or fewer columns in fields, avoids the cut\./)
    }))

  it.effect("is cut at a row border where the tool does not page, and never run again", () =>
    Effect.gen(function*() {
      let runs = 0
      const bound = tool(
        () =>
          Effect.sync(() => {
            runs += 1
            return { property: row(1), contacts: rows(400), short: [1, 2] }
          }),
        { effect: "meter", input: Schema.Struct({ id: Schema.String }) }
      )
      const result = yield* call(bound, { id: "x" })
      const shown = fieldsOf(result)
      const { contacts } = shown
      assert(Array.isArray(contacts))
      assert.strictEqual(runs, 1)
      assert.deepStrictEqual(contacts, rows(contacts.length))
      assert.deepInclude(shown, { property: row(1), short: [1, 2], truncated: true })
      assert.deepInclude(shown["truncation"], { list: "contacts", rows_shown: contacts.length, rows: 400 })
      assert.isAtMost(encode(result.content[0]?.text ?? "").length, maximumTokens)
    }))

  it.effect("is cut, not asked for again, where a limit is all the paging there is", () =>
    Effect.gen(function*() {
      let runs = 0
      const bound = tool(
        () =>
          Effect.sync(() => {
            runs += 1
            return { notes: rows(400) }
          }),
        { input: Schema.Struct({ id: Schema.String, limit: Schema.optionalKey(Schema.Int) }) }
      )
      const { truncation } = fieldsOf(yield* call(bound, { id: "x", limit: 400 }))
      assert.strictEqual(runs, 1)
      assert.deepInclude(truncation, { list: "notes", rows: 400, rest: Tools.noRest })
    }))

  it.effect("is cut in a list of an object too, as that of a lead bundle", () =>
    Effect.gen(function*() {
      const bound = tool(
        () => Effect.succeed({ bundle: { version: 1, notes: rows(400), contacts: [row(1)] }, billed_via: "quota" }),
        { effect: "meter", input: Schema.Struct({ id: Schema.String }) }
      )
      const result = yield* call(bound, { id: "x" })
      const { bundle, truncation } = fieldsOf(result)
      assert(Predicate.isObject(bundle) && Array.isArray(bundle["notes"]))
      assert.deepInclude(bundle, { version: 1, contacts: [row(1)] })
      assert.deepInclude(truncation, { list: "bundle.notes", rows_shown: bundle["notes"].length, rows: 400 })
      assert.isAtMost(encode(result.content[0]?.text ?? "").length, maximumTokens)
    }))

  it.effect("stays whole below that, and where there is no list to cut", () =>
    Effect.gen(function*() {
      const small = yield* call(tool(search), { limit: 40 })
      assert.deepStrictEqual(fieldsOf(small), {
        results: rows(40),
        has_more: true,
        next_offset: 40,
        total_matching: 5000
      })
      const text = { text: "made up ".repeat(20_000) }
      assert.deepStrictEqual(fieldsOf(yield* call(tool(() => Effect.succeed(text)))), text)
    }))
})

describe("a call", () => {
  it.effect("hands the arguments on as they came, and none as an empty object", () =>
    Effect.gen(function*() {
      const echo = tool((input) => Effect.succeed({ input }))
      assert.deepStrictEqual(fieldsOf(yield* call(echo, { a: [1] })), { input: { a: [1] } })
      assert.deepStrictEqual(fieldsOf(yield* call(echo)), { input: {} })
    }))

  it.effect("of a tool that needs a person is refused for a key, which is not shown the tool either", () =>
    Effect.gen(function*() {
      const bound = tool(() => Effect.die("must not run"), { person: "required" })
      const { isError, structuredContent } = yield* call(bound)
      assert.isTrue(isError)
      assert.deepInclude(structuredContent, { code: "ACTING_USER_REQUIRED" })
      assert.isEmpty((yield* toolboxOf(bound)).list(StubCatalogue.caller))
    }))

  it.effect("that is refused for a while says how long", () =>
    Effect.gen(function*() {
      const bound = tool(() => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 5 })))
      assert.deepInclude((yield* call(bound)).structuredContent, {
        code: "TEMPORARILY_UNAVAILABLE",
        retryAfterSeconds: 5
      })
    }))

  it.effect("with wrong arguments says so in one sentence and lists the issues alone", () =>
    Effect.gen(function*() {
      const issues = [{ field: null, message: "Expected one of a and b" }, { field: "c", message: "Expected integer" }]
      const result = yield* call(tool(() => Effect.fail(new InvalidInput({ issues }))))
      const { exampleFor, published: { name } } = tool(() => Effect.void).tool
      const example = exampleFor({})
      assert.deepStrictEqual(result, {
        content: [{
          type: "text",
          text: "These arguments do not fit: Expected one of a and b; c: Expected integer. " +
            `For example: ${name} ${JSON.stringify(example)}.`
        }],
        structuredContent: {
          code: "INVALID_ARGUMENTS",
          issues,
          next: { tool: name, arguments: example, example: true }
        },
        isError: true
      })
    }))

  it.effect("that dies is logged with its request id, and told nothing of the cause", () => {
    const lines: Array<string> = []
    const recorder = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
    return Effect.gen(function*() {
      const error = yield* Effect.flip(call(tool(() => Effect.die(new Error("made-up secret")))))
      assert.strictEqual(error.code, -32603)
      assert.notInclude(JSON.stringify(error), "made-up secret")
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "request-1")
      assert.include(lines[0], "made-up secret")
    }).pipe(Effect.provide(recorder))
  })

  it.effect("that is interrupted stays interrupted", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(call(tool(() => Effect.never)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }))
})

describe("a step", () => {
  /** A refusal of the ledger, which is read as a resource alone. */
  const refusedLedger = Effect.fnUntraced(function*(caller: CallerFacts) {
    const [tool] = Tools.readings
    const run = () => Effect.fail(InvalidCursor.refuse())
    const toolbox = Toolbox.make([], yield* Workload, { readable: [{ tool, run }] })
    const { content: [told], structuredContent } = yield* toolbox.read(tool.operation.name, { cursor: "made up" }).pipe(
      Effect.provideService(Caller, caller)
    )
    return { said: told?.text ?? "", refusal: structuredContent }
  }, Effect.provide(Workload.layer))

  it.effect("after what is read as a resource alone names no tool that is none, but who can help", () =>
    Effect.gen(function*() {
      const refused = yield* refusedLedger({ ...StubCatalogue.caller, scopes: ["mcp", "account:read"] })
      assert.deepInclude(refused.refusal, { code: "INVALID_CURSOR", next: { ask: "member" } })
      assert.match(refused.said, /The person whom you act for can help\.$/)
      assert.notInclude(refused.said, "service_")
      const narrow = yield* refusedLedger(StubCatalogue.caller)
      assert.deepInclude(narrow.refusal, { code: "SCOPE_REQUIRED", next: { ask: "admin" } })
      const person: PersonCaller = {
        ...StubCatalogue.caller,
        kind: "person",
        clientId: "made-up",
        member: member({ memberId: "00000000-0000-4000-8000-000000000002", name: "Ana" })
      }
      const own = yield* refusedLedger(person)
      assert.deepInclude(own.refusal, { code: "ADMINS_ONLY", next: { ask: "admin" } })
      assert.strictEqual(own.said, "Only an admin of your organization can do this.")
    }))
})

describe("what an id was mistaken for", () => {
  const id = "00000000-0000-4000-8000-0000000000b1"

  it.effect("is looked for in the time of the call, and not told after it", () =>
    Effect.gen(function*() {
      const workload = yield* Workload
      const found = Tools.tools.find(({ operation }) => operation.name === GetContact.name)
      assert(found !== undefined)
      const busy = workload.within("read", Effect.andThen(Deadline.lift, Effect.sleep("9 seconds")))
      /** The call is refused after two seconds, and in the meantime another one of the caller's has come behind it. */
      const answered = Effect.fnUntraced(function*(behind: Effect.Effect<unknown, unknown, Caller>) {
        const toolbox = Toolbox.make(
          [
            {
              tool: found,
              run: () => Effect.andThen(Effect.sleep("2 seconds"), Effect.fail(new NotFound({ resource: "contact" })))
            },
            { tool: Tools.make(GetProperty), run: () => Effect.void }
          ],
          workload,
          { kinds: RecordKinds.of({ of: () => Effect.succeed([{ kind: "property", id, by: "id" }]) }) }
        )
        const fiber = yield* Effect.forkChild(toolbox.call(GetContact.name, { id }), { startImmediately: true })
        yield* Effect.forkChild(Effect.ignore(behind), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        assert.isDefined(fiber.pollUnsafe(), "is answered in time")
        return (yield* Fiber.join(fiber)).structuredContent
      })
      assert.deepInclude(yield* answered(Effect.void), {
        code: "NOT_FOUND",
        next: { tool: GetProperty.name, arguments: { id } }
      })
      const late = yield* answered(busy)
      assert.deepInclude(late, { code: "NOT_FOUND" })
      assert.notProperty(late, "named")
    }).pipe(StubCatalogue.asCaller, Effect.provide(Workload.layer)))
})

describe("a tool of a part that the plan lacks", () => {
  it.effect("is refused before its arguments are looked at", () =>
    Effect.gen(function*() {
      const { features } = StubCatalogue.organization
      const caller = {
        ...StubCatalogue.caller,
        organization: { ...StubCatalogue.organization, features: { ...features, lists: false } }
      }
      const bound = tool(() => Effect.die("was run"), { gate: "lists" })
      const result = yield* (yield* toolboxOf(bound)).call("service_made_up", { limit: "many" }).pipe(
        Effect.provideService(Caller, caller)
      )
      assert.deepInclude(result.structuredContent, { code: "FEATURE_GATED", feature: "lists" })
    }))
})
