/**
 * Every code of the specification's tables is produced from outside: over the REST and MCP of a running server, or by the
 * command; with its status, its place in the body and its detail. A code without a scenario does not compile.
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
import type { Scenario } from "./Scenario.ts"
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

/** What is wrong with what a refusal says to do next: nothing, where a tool takes the arguments or somebody is named. */
const faultsOfStep = (next: NextStep | undefined): ReadonlyArray<string> => {
  if (next?.ask !== undefined || next?.retry_after_seconds !== undefined) return []
  const operation = operations.get(next?.tool ?? "")
  if (operation === undefined) return ["no tool, no time and nobody is named"]
  const given = decoder(operation.input)(next?.arguments ?? {})
  const missing = next?.missing ?? []
  return Result.isSuccess(given)
    ? []
    : given.failure.issues.flatMap(({ field, message }) =>
      missing.includes(field ?? "") ? [] : [`${field}: ${message}`]
    )
}

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
    const { before, detail, tool } = scenarioOf(code)
    await before?.(org)
    const told = await tool?.(org)
    assert.containSubset(told, { http: 200, isError: true, content: { code, ...detail } }, JSON.stringify(told))
    assert.deepStrictEqual(faultsOfStep(told?.content.next), [], JSON.stringify(told))
  })

  it.each(through("command"))("%s of the command, which names it", async (code) => {
    const org = world.org(code, "command")
    assert.include(await scenarioOf(code).command?.(org), code)
  })
})
