/**
 * What an assistant can ask for besides the handshake, answered for the caller in context: the same in every era and over
 * every transport.
 */
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import { isPlain } from "@freehold/core/operation/PlainText"
import { Clock, Context, DateTime, Effect, Layer, Predicate, Record } from "effect"
import * as Completions from "./Completions.ts"
import { invalidParams, type Params, RpcError } from "./JsonRpc.ts"
import { type Prompt, type PromptArgument, prompts } from "./Prompts.ts"
import * as Resources from "./Resources.ts"
import { Toolbox } from "./Toolbox.ts"

export const methods = [
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete"
] as const

export type Method = (typeof methods)[number]

export const isMethod = (name: string): name is Method => methods.some((method) => method === name)

/** What a server says of itself in every handshake. */
export const capabilities = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {}
}

const badParams = (reason: string) => new RpcError({ code: invalidParams, reason })

/** Whole lists end with their first page, which tells no cursor; some clients send null for the first page. */
const onePage = ({ cursor }: Params): Effect.Effect<void, RpcError> =>
  Predicate.isNullish(cursor) ? Effect.void : Effect.fail(badParams("Invalid cursor: this list has one page"))

/** The cursor of a list that has several pages; undefined: its first. */
const cursorOf = ({ cursor }: Params): Effect.Effect<string | undefined, RpcError> =>
  Predicate.isNullish(cursor)
    ? Effect.succeed(undefined)
    : typeof cursor === "string"
    ? Effect.succeed(cursor)
    : Effect.fail(badParams("Expected params.cursor to be a string"))

/** The name that a request must have. */
const nameOf = ({ name }: Params): Effect.Effect<string, RpcError> =>
  typeof name === "string" ? Effect.succeed(name) : Effect.fail(badParams("Expected params.name to be a string"))

const listed = (all: ReadonlyArray<Prompt>) => ({
  prompts: all.map(({ aboutChanges: _, message: __, ...prompt }) => prompt)
})

/** Whether changes are recorded for the caller, where the prompt is about them. */
const isFor = ({ organization: { features } }: CallerFacts) => ({ aboutChanges }: Prompt): boolean =>
  aboutChanges === undefined || features.signals

/** The prompts as they are listed. */
export const published = listed(prompts)

/** An argument becomes part of a sentence. */
const longestArgument = 500

const isReadable = (argument: string): boolean => argument.length <= longestArgument && isPlain(argument)

/** The tools that a prompt may name: those of the caller, as far as their part of the service is switched on. */
const toolsFor = (toolbox: Toolbox["Service"], caller: CallerFacts): ReadonlySet<string> => {
  const { agent_pipeline_changes: moves, features: { signals } } = caller.organization
  const off = new Set([...signals ? [] : ["service_get_changes"], ...moves ? [] : ["service_qualify_lead"]])
  return new Set(toolbox.list(caller).flatMap(({ name }) => off.has(name) ? [] : [name]))
}

const getPrompt = Effect.fnUntraced(function*(toolbox: Toolbox["Service"], params: Params) {
  const name = yield* nameOf(params)
  const prompt = prompts.find((each) => each.name === name)
  if (prompt === undefined) return yield* badParams("There is no such prompt")
  const caller = yield* Caller
  if (!isFor(caller)(prompt)) {
    return yield* badParams("Change events are not switched on for your organization; the operator can help")
  }
  const given = Record.filter(
    Predicate.isReadonlyObject(params["arguments"]) ? { ...params["arguments"] } : {},
    Predicate.isString
  )
  const expected = (argument: PromptArgument | undefined) =>
    badParams(`Expected arguments.${argument?.name}: ${argument?.description}`)
  const missing = prompt.arguments.find((each) => each.required && (given[each.name] ?? "").trim() === "")
  if (missing !== undefined) return yield* expected(missing)
  const unreadable = prompt.arguments.find(({ name: each }) => !isReadable(given[each] ?? ""))
  if (unreadable !== undefined) return yield* expected(unreadable)
  const tools = toolsFor(toolbox, caller)
  const asked = { now: DateTime.makeUnsafe(yield* Clock.currentTimeMillis), has: (name: string) => tools.has(name) }
  const text = yield* Effect.mapError(
    Effect.fromResult(prompt.message(given, asked)),
    (name) => expected(prompt.arguments.find((each) => each.name === name))
  )
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] }
})

export class Answers extends Context.Service<Answers, {
  answer(method: Method, params: Params): Effect.Effect<object, RpcError, Caller>
}>()("@freehold/mcp-host/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function*() {
      const toolbox = yield* Toolbox

      const answers: Record<Method, (params: Params) => Effect.Effect<object, RpcError, Caller>> = {
        "tools/list": (params) =>
          Effect.andThen(onePage(params), Effect.map(Caller, (caller) => ({ tools: toolbox.list(caller) }))),
        "tools/call": (params) => Effect.flatMap(nameOf(params), (name) => toolbox.call(name, params["arguments"])),
        "prompts/list": (params) =>
          Effect.andThen(onePage(params), Effect.map(Caller, (caller) => listed(prompts.filter(isFor(caller))))),
        "prompts/get": (params) => getPrompt(toolbox, params),
        "resources/list": (params) => Effect.flatMap(cursorOf(params), (cursor) => Resources.list(toolbox, cursor)),
        "resources/templates/list": (params) => Effect.as(onePage(params), { resourceTemplates: Resources.templates }),
        "resources/read": ({ uri }) =>
          typeof uri === "string"
            ? Resources.read(toolbox, uri)
            : Effect.fail(badParams("Expected params.uri to be a string")),
        "completion/complete": (params) => Completions.complete(toolbox, params)
      }

      return Answers.of({ answer: (method, params) => answers[method](params) })
    })
  )
}
