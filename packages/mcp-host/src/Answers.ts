/**
 * What an assistant can ask for besides the handshake, answered for the caller in context: the same in every era and over
 * every transport.
 */
import { Caller } from "@freehold/core/access/Caller"
import { Context, Effect, Layer } from "effect"
import { invalidParams, type Params, RpcError } from "./JsonRpc.ts"
import { Toolbox } from "./Toolbox.ts"

export const methods = ["tools/list", "tools/call"] as const

export type Method = (typeof methods)[number]

export const isMethod = (name: string): name is Method => methods.some((method) => method === name)

const badParams = (reason: string) => new RpcError({ code: invalidParams, reason })

export class Answers extends Context.Service<Answers, {
  answer(method: Method, params: Params): Effect.Effect<object, RpcError, Caller>
}>()("@freehold/mcp-host/Answers") {
  static readonly layer = Layer.effect(
    Answers,
    Effect.gen(function*() {
      const toolbox = yield* Toolbox

      const answers: Record<Method, (params: Params) => Effect.Effect<object, RpcError, Caller>> = {
        "tools/list": Effect.fnUntraced(function*(params) {
          if (params["cursor"] !== undefined) return yield* badParams("The list of tools has one page")
          return { tools: toolbox.list(yield* Caller) }
        }),
        "tools/call": Effect.fnUntraced(function*({ arguments: input, name }) {
          if (typeof name !== "string") return yield* badParams("Expected params.name to be a string")
          return yield* toolbox.call(name, input)
        })
      }

      return Answers.of({ answer: (method, params) => answers[method](params) })
    })
  )
}
