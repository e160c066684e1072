/** What is kept of lists is what would have been made anew, for every caller. */
import { assert, describe, it } from "@effect/vitest"
import * as Acting from "@freehold/core/access/Acting"
import type { CallerFacts } from "@freehold/core/access/Caller"
import { Workload } from "@freehold/core/load/Workload"
import { MemberRole } from "@freehold/core/organization/Organizations"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Result } from "effect"
import * as KeptJson from "../src/KeptJson.ts"
import { Toolbox } from "../src/Toolbox.ts"
import { tools } from "../src/Tools.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const yesOrNo = [true, false]

const organizations = yesOrNo.flatMap((enrichments) =>
  yesOrNo.flatMap((lists) =>
    yesOrNo.map((pipeline) => ({
      ...StubCatalogue.organization,
      features: { ...StubCatalogue.organization.features, enrichments, lists, pipeline }
    }))
  )
)

const scopes = [["mcp"], ["mcp", "pipeline:transitions_full"], [
  "mcp",
  "data:read",
  "pipeline:transitions_full"
]] as const

/** One of each kind that any rule tells apart. */
const callers = organizations.flatMap((organization) =>
  scopes.flatMap((granted): ReadonlyArray<CallerFacts> => {
    const facts = { ...StubCatalogue.caller, organization, scopes: granted }
    const people = MemberRole.literals.flatMap((role) =>
      yesOrNo.map((seat) => member({ memberId: "made-up", role, seat }))
    )
    return [
      facts,
      ...people.map((each) => ({ ...facts, kind: "person" as const, member: each, clientId: "made-up" })),
      ...people.map((each) => ({ ...facts, kind: "member" as const, member: each }))
    ]
  })
)

/** Each tool looked at by itself. */
const anew = (caller: CallerFacts) =>
  tools.flatMap(({ operation, published }) => {
    const { gate } = operation.access
    const isPlanned = gate === null || caller.organization.features[gate]
    return isPlanned && Result.isSuccess(Acting.permits(caller, operation)) &&
        Result.isSuccess(Acting.permitScope(caller, operation))
      ? [published]
      : []
  })

describe("the list of tools that is kept", () => {
  it.effect("is the one that each caller would be shown if it were made anew, whoever asked before", () =>
    Effect.gen(function*() {
      const bound = tools.map((tool) => ({ tool, run: () => Effect.die("must not run") }))
      const { list } = Toolbox.make(bound, yield* Workload)
      for (const caller of [...callers, ...callers.toReversed()]) {
        const expected = anew(caller)
        assert.deepStrictEqual(list(caller), expected)
        assert.strictEqual(KeptJson.write({ tools: list(caller) }), JSON.stringify({ tools: expected }))
      }
      assert.isAbove(new Set(callers.map((caller) => anew(caller).length)).size, 8)
    }).pipe(Effect.provide(Workload.layer)))

  it.effect("is made once for callers who are shown the same", () =>
    Effect.gen(function*() {
      const bound = tools.map((tool) => ({ tool, run: () => Effect.die("must not run") }))
      const { list } = Toolbox.make(bound, yield* Workload)
      const other = { ...StubCatalogue.caller, credentialId: "00000000-0000-4000-8000-000000000002" }
      assert.strictEqual(list(other), list(StubCatalogue.caller))
    }).pipe(Effect.provide(Workload.layer)))
})
