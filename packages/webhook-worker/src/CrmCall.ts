/**
 * Asks a CRM: one request to an address that `AddressGuard` has just vetted, and its whole answer, within bounds.
 *
 * Redirects are never followed, so that a token goes to the address that the operator named and nowhere else. Informational
 * responses are passed over, twenty at most. What cannot be asked is how the push ends.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import type { PushOutcome } from "@freehold/core/webhook/CrmPusher"
import { Context, Effect, Layer, Option } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { AddressGuard, type VettedTarget } from "./AddressGuard.ts"
import { endFlood } from "./Informational.ts"
import * as Pools from "./Pools.ts"

export interface CrmRequest {
  readonly method: "GET" | "PATCH" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface CrmAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

const answerLimit = 1024 * 1024

const failed = (reason: string): PushOutcome => ({ _tag: "Failed", status: null, reason })

const codeOf = (cause: Error): string => "code" in cause ? String(cause.code) : cause.name

/** One request on one connection; none when a kept connection turned out to be closed. */
const once = (
  { body = "", headers, method }: CrmRequest,
  target: VettedTarget,
  agent: Http.Agent
): Effect.Effect<Option.Option<CrmAnswer>, PushOutcome> =>
  Effect.callback((resume) => {
    const outgoing = (target.secure ? Https : Http).request({
      agent,
      method,
      hostname: target.hostname,
      port: target.port,
      path: target.path,
      headers: {
        "User-Agent": "Freehold-CRM/1",
        Accept: "application/json",
        ...headers,
        ...body === "" ? {} : { "Content-Length": Buffer.byteLength(body) }
      }
    })
    endFlood(outgoing, (reason) => resume(Effect.fail(failed(reason))))
    outgoing.once("response", (response) => {
      const parts: Array<Buffer> = []
      let size = 0
      response.on("data", (part: Buffer) => {
        size += part.length
        parts.push(part)
        if (size > answerLimit) outgoing.destroy(new Error("its answer is too long"))
      })
      response.once("end", () =>
        resume(Effect.succeedSome({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8")
        })))
      response.once("error", (cause) => resume(Effect.fail(failed(`its answer broke off: ${codeOf(cause)}`))))
    })
    outgoing.on("error", (cause) => {
      const code = codeOf(cause)
      const isStale = outgoing.reusedSocket && (code === "ECONNRESET" || code === "EPIPE")
      resume(isStale ? Effect.succeedNone : Effect.fail(failed(`cannot be reached: ${code}`)))
    })
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

export class CrmCall extends Context.Service<CrmCall, {
  /** Any status is an answer. */
  ask(request: CrmRequest): Effect.Effect<CrmAnswer, PushOutcome>
}>()("@freehold/webhook-worker/CrmCall") {
  /** Needs an `AddressGuard`. */
  static readonly layerNoDeps = Layer.effect(
    CrmCall,
    Effect.gen(function*() {
      const guard = yield* AddressGuard
      const pools = yield* Pools.make((target) => Pools.agentFor(target, undefined, true), (agent) => agent.destroy())
      const vet = (url: string) =>
        guard.vet(url).pipe(Effect.mapError((refused): PushOutcome =>
          refused._tag === "HostUnresolved"
            ? failed(refused.message)
            : { _tag: "Blocked", reason: refused.message }
        ))
      return CrmCall.of({
        ask: Effect.fn("CrmCall.ask")(function*(request) {
          const target = yield* vet(request.url)
          const first = yield* pools.use(target, (agent) => once(request, target, agent))
          if (Option.isSome(first)) return first.value
          const second = yield* once(request, target, Pools.agentFor(target, undefined, false))
          return Option.isSome(second) ? second.value : yield* Effect.fail(failed("cannot be reached: ECONNRESET"))
        })
      })
    })
  )

  /** With the address guard of the policy. */
  static readonly layer = (policy: TargetPolicy) =>
    CrmCall.layerNoDeps.pipe(Layer.provide(AddressGuard.layer({ policy })))
}
