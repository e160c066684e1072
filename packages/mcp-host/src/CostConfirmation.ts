/**
 * A price that the caller did not agree to, asked of the person behind the client: where a call is refused with
 * COST_CONFIRMATION_REQUIRED and the client can ask (elicitation), the refusal becomes the question, and a yes repeats the call
 * with that price as its `maxCredits`, about the property that was shown. decisions, section 15.
 *
 * The question names people and properties as records do, in text of theirs: it is shown to a person, and a long one is cut.
 * What a model reads is made of constants and numbers alone, and tells the names as data.
 *
 * A no, or anything else, is answered with the refusal. A price is never charged above the one that was shown: the repeated
 * call is decided anew, and asks anew if the price has risen.
 *
 * What is agreed to travels with the client: sealed, so that no client can agree to a price that nobody was shown, bound to the
 * credential, the tool and its arguments, and for ten minutes. Each question has an id, and a yes uses it up before anything
 * is done (`UsedAnswers`). So the price is charged once at most, however often the same answer comes: whoever sends it again is
 * refused with the price, as after a no. That goes for a call that was refused or broke off, too: it is asked about anew. Over HTTP
 * a yes is still good where its call found no place.
 */
import { credits, PriceDetail, toldOf } from "@freehold/core/credit/CreditRefusals"
import { CursorSeal, parsePayload } from "@freehold/core/operation/CursorSeal"
import { excerpt } from "@freehold/core/operation/Excerpt"
import { isIdName } from "@freehold/core/operation/Nearest"
import * as RefusalCount from "@freehold/core/operation/RefusalCount"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Clock, Duration, Effect, Option, Predicate, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Params, RpcError } from "./JsonRpc.ts"
import { meant } from "./MeantArguments.ts"
import * as ToolResult from "./ToolResult.ts"
import { type Tool, tools } from "./Tools.ts"
import type { Using } from "./UsedAnswers.ts"

const key = "cost"

const life = Duration.toMillis(Duration.minutes(10))

/** What one question was about. */
const Question = Schema.Struct({
  v: Schema.Literal(4),
  id: Schema.String,
  /** What a yes adds to the arguments. */
  agreed: Schema.Struct({
    maxCredits: Schema.Int,
    /** The property that it was priced about: what was agreed to speaks of this one, whichever would be chosen by then. */
    property_id: Schema.optionalKey(Schema.String)
  }),
  until: Schema.Number
})

type Question = typeof Question.Type

const parse = parsePayload(Question)

/** The call as it is asked again: by the same client with the same arguments, which may stand in another order. */
const boundOf = (by: string, { arguments: input, name }: Params): string => {
  const given = Predicate.isObject(input) ? Object.entries(input) : []
  return JSON.stringify([key, by, name, given.toSorted(([a], [b]) => a < b ? -1 : 1)])
}

/** Whether a client that says this of itself can show a form to its person. */
export const canAsk = (capabilities: unknown): boolean => {
  if (!Predicate.isReadonlyObject(capabilities) || !Predicate.isReadonlyObject(capabilities["elicitation"])) {
    return false
  }
  const { form, url } = { form: undefined, url: undefined, ...capabilities["elicitation"] }
  return form !== undefined || url === undefined
}

/** What a result tells, as an object. */
const contentOf = (result: object) =>
  "structuredContent" in result && Predicate.isReadonlyObject(result.structuredContent) ? result.structuredContent : {}

/** The price that the call was refused for. */
const priceOf = (result: object): number | undefined => {
  const { code, projectedCredits } = { code: undefined, projectedCredits: undefined, ...contentOf(result) }
  return code === "COST_CONFIRMATION_REQUIRED" && typeof projectedCredits === "number" ? projectedCredits : undefined
}

const isDetail = Schema.is(PriceDetail)

/** What was told with the price by whoever knows more than what it is. */
const detailOf = (result: object): PriceDetail => {
  const told = contentOf(result)
  return isDetail(told) ? told : {}
}

/** What there is to pay with, the member's own limit too where there is one, and what there is to know before. */
const standingOf = (result: object): string => {
  const { balance, ownLimitRemaining: own } = {
    balance: undefined,
    ownLimitRemaining: undefined,
    ...contentOf(result)
  }
  const limit = typeof own === "number" ? `, and ${own} left of your own monthly limit` : ""
  const money = typeof balance === "number" ? [`${balance} ${balance === 1 ? "is" : "are"} there${limit}.`] : []
  return [...money, ...toldOf(detailOf(result))].map((each) => ` ${each}`).join("")
}

/** More ids are counted. */
const toldIds = 3

/** What the call is about: people and properties by what they are called, else by the ids and keys of its arguments. */
const subjectOf = ({ arguments: input }: Params, { person, places = [], properties }: PriceDetail): string => {
  const named = [...person === undefined ? [] : [person], ...places].map(excerpt)
  if (named.length > 0) {
    const more = (properties ?? places.length) - places.length
    return ` (${named.join("; ")}${more > 0 ? `; and ${more} more` : ""})`
  }
  const given = Predicate.isObject(input) ? Object.entries(input) : []
  const subjects = given.flatMap(([name, value]) => {
    if (!isIdName(name)) return []
    const ids = Array.isArray(value) ? value.map(String) : [String(value)]
    return [
      `${name} ${ids.slice(0, toldIds).join(", ")}${ids.length > toldIds ? ` and ${ids.length - toldIds} more` : ""}`
    ]
  })
  return subjects.length === 0 ? "" : ` (${subjects.join(", ")})`
}

const toolsByName: ReadonlyMap<unknown, Tool> = new Map(tools.map((tool: Tool) => [tool.published.name, tool]))

const titleOf = ({ name }: Params): string => toolsByName.get(name)?.published.title ?? "This call"

/** The call with the arguments that its tool reads. */
const asRead = (params: Params): Params => {
  const { arguments: input, name } = params
  const tool = toolsByName.get(name)
  return tool !== undefined && Predicate.isObject(input) ? { ...params, arguments: meant(tool, input) } : params
}

const question = (params: Params, price: number, result: object) => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message: `${titleOf(params)}${subjectOf(params, detailOf(result))}: this costs ${credits(price)}.${
      standingOf(result)
    } Spend ${price === 1 ? "it" : "them"}?`,
    requestedSchema: {
      type: "object",
      properties: { confirm: { type: "boolean", title: `Spend ${credits(price)}`, default: false } },
      required: ["confirm"]
    }
  }
})

/** Whether the person said yes. */
const isYes = (responses: unknown): boolean => {
  const response = Predicate.isReadonlyObject(responses) ? responses[key] : undefined
  if (!Predicate.isReadonlyObject(response) || response["action"] !== "accept") return false
  const { content } = response
  return Predicate.isReadonlyObject(content) && content["confirm"] === true
}

/** The refusal, for a person who was asked and did not say yes: nothing is to be bought in the next step. */
const declined = (result: object) => {
  const { next: _, ...refusal } = { next: undefined, ...contentOf(result) }
  const error =
    "The person was asked and did not agree to the price; nothing was charged. Ask them before you try it again."
  return { ...result, content: [{ type: "text", text: error }], structuredContent: { ...refusal, error } }
}

/** What a call carries besides its parameters. */
export interface Asking {
  /** Of the client. */
  readonly capabilities: unknown
  readonly inputResponses: unknown
  readonly requestState: unknown
  /** Who is asked: only the same may answer. */
  readonly by: string
}

/** What is told of a call that found no place, or was not done in time. */
const unavailable = (tool: Tool, input: object) =>
  Effect.fnUntraced(function*(refused: TemporarilyUnavailable) {
    const { exampleFor, published: { name } } = tool
    yield* RefusalCount.count("mcp", refused._tag)
    const result = ToolResult.refusal(ToolResult.toldOf(refused), { tool: name, input: { ...input }, exampleFor })
    return { isAgreed: false, result }
  })

export const make = Effect.fnUntraced(function*<U>(using: Using<U>) {
  const seal = yield* CursorSeal
  const random = yield* SecureRandom.SecureRandom

  /** Our question about this very call, where the person said yes to it. */
  const agreedIn = Effect.fnUntraced(function*(params: Params, { by, inputResponses, requestState }: Asking) {
    if (typeof requestState !== "string" || !isYes(inputResponses)) return undefined
    const asked = Option.flatMap(yield* seal.open(requestState, boundOf(by, params)), parse)
    const now = yield* Clock.currentTimeMillis
    return Option.isNone(asked) || now >= asked.value.until ? undefined : asked.value
  })

  /** Runs the call, and puts the question in place of a refusal for its price. */
  const confirming = Effect.fnUntraced(function*<R>(
    sent: Params,
    asking: Asking,
    call: (params: Params) => Effect.Effect<object, RpcError, R>
  ) {
    const params = asRead(sent)
    const asked = yield* agreedIn(params, asking)
    const tool = toolsByName.get(params["name"])
    const given = Predicate.isObject(params["arguments"]) ? params["arguments"] : {}
    const agreedTo = (asked: Question, isFirst: boolean) =>
      Effect.map(
        call(isFirst ? { ...params, arguments: { ...given, ...asked.agreed } } : params),
        (result) => ({ isAgreed: isFirst, result })
      )
    const { isAgreed, result } = asked === undefined || tool === undefined
      ? { isAgreed: false, result: yield* call(params) }
      : yield* using(asked, tool.operation.work, (isFirst) => agreedTo(asked, isFirst)).pipe(
        Effect.catchTag("TEMPORARILY_UNAVAILABLE", unavailable(tool, given))
      )
    const price = priceOf(result)
    if (price === undefined) return result
    if (asking.inputResponses !== undefined && !isAgreed) {
      return isYes(asking.inputResponses) ? result : declined(result)
    }
    if (!canAsk(asking.capabilities)) return result
    const until = (yield* Clock.currentTimeMillis) + life
    const { property_id } = detailOf(result)
    const agreed = { maxCredits: price, ...property_id === undefined ? {} : { property_id } }
    const requestState = yield* seal.seal(
      JSON.stringify(Question.make({ v: 4, id: yield* random.uuidV4(), agreed, until })),
      boundOf(asking.by, params)
    )
    return {
      resultType: "input_required",
      inputRequests: { [key]: question(params, price, result) },
      requestState
    }
  })

  return { confirming }
})
