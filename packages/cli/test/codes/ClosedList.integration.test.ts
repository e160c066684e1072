/**
 * Every code of the specification's tables is produced from outside: over the REST and MCP of a running server, or by the
 * command; with its status, its place in the body and its detail, and to an assistant with all of its next step, which is taken
 * where nothing of it is missing. A code without a scenario does not compile, and none of an assistant without its step.
 *
 * All data is made up.
 */
import { decoder } from "@freehold/core/operation/InvalidInput"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import { outcomes } from "@freehold/http-host/Status"
import type { NextStep } from "@freehold/mcp-host/RefusedCall"
import { tools } from "@freehold/mcp-host/Tools"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checker } from "../contract/DocumentChecker.ts"
import { accessCodes } from "./AccessCodes.ts"
import { closedList, type Code, type Listed } from "./ClosedList.ts"
import { creditCodes } from "./CreditCodes.ts"
import { peopleCodes } from "./PeopleCodes.ts"
import { pipelineCodes } from "./PipelineCodes.ts"
import { recordCodes } from "./RecordCodes.ts"
import { researchCodes } from "./ResearchCodes.ts"
import type { Expected, Scenario, ToolAnswer } from "./Scenario.ts"
import { openWorld, type World } from "./World.ts"

const scenarios: Readonly<Record<Code, Scenario>> = {
  ...accessCodes,
  ...creditCodes,
  ...recordCodes,
  ...peopleCodes,
  ...pipelineCodes,
  ...researchCodes
}

const listed: Readonly<Record<Code, Listed>> = closedList

let world: World
let check: ReturnType<typeof checker>

beforeAll(async () => {
  world = await openWorld(scenarios)
  check = checker(await world.document())
})

afterAll(() => world.close())

const scenarioOf = (code: string): Scenario => {
  const scenario = new Map(Object.entries(scenarios)).get(code)
  return scenario ?? assert.fail(`${code} has no scenario`)
}

/** The codes that come through a door. */
const through = (door: keyof Listed) => Object.entries(listed).filter(([, each]) => each[door] !== undefined)

const operations = new Map<string, AnyOperation>(tools.map(({ operation }) => [operation.name, operation]))

/** What of a step its tool does not take, beside what is missing. */
const faultsOf = ({ arguments: given = {}, missing = [], tool = "" }: NextStep): ReadonlyArray<string> => {
  const operation = operations.get(tool)
  if (operation === undefined) return [`there is no tool ${tool}`]
  const decoded = decoder(operation.input)(given)
  const issues = Result.isSuccess(decoded) ? [] : decoded.failure.issues
  return issues.flatMap(({ field, message }) => missing.includes(field ?? "") ? [] : [`${field}: ${message}`])
}

const nextOf = (expected: Expected | undefined, told: Pick<ToolAnswer, "content" | "args">): NextStep =>
  typeof expected === "function" ? expected(told) : expected ?? assert.fail("nothing is expected")

describe("Every code", () => {
  it("that the hosts know is in the list", () => {
    // 401 has no code of its own.
    assert.deepStrictEqual(Object.keys(outcomes).filter((code) => !Object.hasOwn(listed, code)), ["UNAUTHENTICATED"])
  })

  it.each(through("rest"))("%s on REST, with its status, its place and its detail", async (code, { place, rest }) => {
    const org = world.org(code, "rest")
    const { before, detail, rest: act } = scenarioOf(code)
    await before?.(org)
    await act?.(org)
    const answer = org.last() ?? assert.fail("nothing was asked")
    assert.strictEqual(answer.status, rest, JSON.stringify(answer.body))
    assert.containSubset(answer.body, { success: false, meta: { code, ...detail } }, JSON.stringify(answer.body))
    assert.strictEqual(answer.body.code, place === "meta" ? undefined : code)
    assert.deepStrictEqual(check.faultsOf(answer.template, answer.method, answer), [])
    if (rest === 429 || rest === 503) assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
  })

  it.each(through("mcp"))("%s of a tool, with its detail", async (code) => {
    const org = world.org(code, "tool")
    const { before, detail, next: expected, tool } = scenarioOf(code)
    await before?.(org)
    const told = await tool?.(org) ?? assert.fail("nothing was asked")
    assert.containSubset(told, { http: 200, isError: true, content: { code, ...detail } }, JSON.stringify(told))
    const next = nextOf(expected, told)
    assert.deepStrictEqual(told.content.next, next)
    if (next.tool === undefined) return
    assert.deepStrictEqual(faultsOf(next), [])
    // It leads somewhere else than to the same refusal.
    if (next.missing !== undefined) return
    const after = await told.call(next.tool, next.arguments ?? {})
    assert.notStrictEqual(after.content.code, code, JSON.stringify(after))
    if (after.isError) assert.strictEqual(after.content.code, "COST_CONFIRMATION_REQUIRED", JSON.stringify(after))
  })

  it.each(through("entrance"))("%s before JSON-RPC, with REST's body and what to do next", async (code, { rest }) => {
    const org = world.org(code, "entrance")
    const { before, detail, entrance, next: expected } = scenarioOf(code)
    await before?.(org)
    const { body, http } = await entrance?.(org) ?? assert.fail("nothing was asked")
    assert.strictEqual(http, rest, JSON.stringify(body))
    assert.containSubset(body, { success: false, code, meta: { code, ...detail } }, JSON.stringify(body))
    const next = nextOf(expected, { content: body.meta, args: {} })
    assert.deepStrictEqual(body.meta.next, next)
  })

  it.each(through("command"))("%s of the command, which names it", async (code) => {
    const org = world.org(code, "command")
    assert.include(await scenarioOf(code).command?.(org), code)
  })
})
