/** `completion/complete`: what an argument of a prompt, or a part of a resource's URI, may be. */
import { Caller } from "@freehold/core/access/Caller"
import * as Territory from "@freehold/core/coverage/Territory"
import { Clock, DateTime, Effect, Option, Predicate } from "effect"
import { invalidParams, type Params, RpcError } from "./JsonRpc.ts"
import { monthOf, prompts } from "./Prompts.ts"
import { listsIn, templates } from "./Resources.ts"
import { patience, type Toolbox } from "./Toolbox.ts"
import type { ToolResult } from "./ToolResult.ts"

/** Most values of one answer, as the protocol has it. */
const maximum = 100

interface Found {
  readonly values: ReadonlyArray<string>
  /** Whether there are no others: what is left out of an answer, or cannot be read right now, may hold some. */
  readonly isWhole: boolean
}

type Completer = (toolbox: Toolbox["Service"], typed: string) => Effect.Effect<Found, RpcError, Caller>

const isAway = ({ structuredContent: { code } }: ToolResult): boolean => code === "TEMPORARILY_UNAVAILABLE"

/** Nobody types more before choosing. */
const longestTyped = 200

/** Remarks of sources, as in `Quillgate (demo), WA`, are typed by nobody. `typed` is in lower case. */
const has = (value: string, typed: string): boolean =>
  [value, value.replaceAll(/ \([^()]*\)/g, "")].some((each) => each.toLowerCase().includes(typed))

/** Names of the caller's counties as a search takes them, and the code of one whose name nobody has imported. */
const counties: Completer = Effect.fnUntraced(function*(toolbox, typed) {
  const caller = yield* Caller
  const query = typed.split(",")[0]?.trim() ?? ""
  const result = yield* toolbox.call("service_lookup", { kind: "counties", ...(query === "" ? {} : { query }) })
  const { total, values } = result.structuredContent
  const all: ReadonlyArray<unknown> = Array.isArray(values) ? values : []
  const own = all.flatMap((each) => {
    const { label, value } = { label: undefined, value: undefined, ...Predicate.isReadonlyObject(each) ? each : {} }
    const name: unknown = label ?? value
    return typeof name === "string" && typeof value === "string" && Territory.sees(caller, value) ? [name] : []
  })
  // The caller's own come before all others.
  const isCut = own.length === all.length && typeof total === "number" && total > all.length
  return { values: own, isWhole: !isCut && !isAway(result) }
})

/**
 * The lists that the caller sees, page by page, as far as there is time for them: an organization has a thousand at most.
 * `property`: what of them completes.
 */
const listsBy = (property: "id" | "name", only: { readonly type?: "properties" } = {}): Completer =>
  Effect.fnUntraced(function*(toolbox) {
    const values: Array<string> = []
    const read = Effect.gen(function*() {
      let page: { readonly cursor?: string } | undefined = {}
      while (page !== undefined) {
        const result: ToolResult = yield* toolbox.call("service_list_lists", { limit: 200, ...only, ...page })
        if (isAway(result)) return false
        values.push(...listsIn(result).map((each) => each[property]))
        const { next_cursor: cursor } = result.structuredContent
        page = typeof cursor === "string" ? { cursor } : undefined
      }
      return true
    })
    const isWhole = Option.getOrElse(yield* Effect.timeoutOption(read, patience), () => false)
    return { values, isWhole }
  })

/** This month and the eleven before it. */
const months: Completer = () =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const start = DateTime.startOf(DateTime.makeUnsafe(now), "month")
    const values = Array.from({ length: 12 }, (_, ago) => monthOf(DateTime.subtract(start, { months: ago })))
    return { values, isWhole: true }
  })

const byArgument: Readonly<Record<string, Completer>> = {
  county: counties,
  // Of its own kind each name is one: that of a list of contacts would make another list.
  list: listsBy("name", { type: "properties" }),
  month: months
}

const byTemplate: Readonly<Record<string, Completer>> = {
  "freehold://lists/{id}": listsBy("id"),
  "freehold://ledger/{month}": months
}

const none: Completer = () => Effect.succeed({ values: [], isWhole: true })

/** What completes the argument of that prompt or resource; undefined: there is no such thing. */
const completerOf = (ref: Readonly<Record<string, unknown>>, name: string): Completer | undefined => {
  if (ref["type"] === "ref/prompt") {
    const prompt = prompts.find((each) => each.name === ref["name"])
    return prompt?.arguments.some((each) => each.name === name) === true ? byArgument[name] ?? none : undefined
  }
  const { uri } = ref
  return ref["type"] === "ref/resource" && typeof uri === "string" &&
      templates.some(({ uriTemplate }) => uriTemplate === uri && uriTemplate.includes(`{${name}}`))
    ? byTemplate[uri] ?? none
    : undefined
}

export const complete = Effect.fnUntraced(function*(toolbox: Toolbox["Service"], { argument, ref }: Params) {
  const [name, typed] = Predicate.isReadonlyObject(argument) ? [argument["name"], argument["value"]] : []
  if (!Predicate.isReadonlyObject(ref) || typeof name !== "string" || typeof typed !== "string") {
    return yield* new RpcError({
      code: invalidParams,
      reason: "Expected params.ref, and params.argument with name and value"
    })
  }
  if (typed.length > longestTyped) {
    return yield* new RpcError({
      code: invalidParams,
      reason: `Expected at most ${longestTyped} characters in params.argument.value`
    })
  }
  const completer = completerOf(ref, name)
  if (completer === undefined) {
    return yield* new RpcError({ code: invalidParams, reason: "There is no such prompt, resource or argument" })
  }
  const folded = typed.toLowerCase()
  const { isWhole, values } = yield* completer(toolbox, typed)
  const fitting = values.filter((value) => has(value, folded))
  return {
    completion: {
      values: fitting.slice(0, maximum),
      ...isWhole ? { total: fitting.length } : {},
      hasMore: !isWhole || fitting.length > maximum
    }
  }
})
