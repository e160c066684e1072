/**
 * Sends one webhook: a POST over HTTP/1.1 to an address that `AddressGuard` has just vetted, answered by an outcome.
 *
 * - One deadline covers name lookup, connecting, TLS and the response headers. The outcome is decided when the headers
 *   have arrived. Of the body at most 16 KB or half a second is read off before it is returned, so that the connection
 *   can be used again and a receiver that trickles keeps its own place occupied and no other.
 * - Redirects are never followed. Informational responses (`100 Continue`, `102 Processing`) are passed over and do not
 *   move the deadline; a receiver that sends more than twenty of them has failed.
 * - Connections are kept alive in pools keyed by origin and addresses, and a pool can connect to nothing but its
 *   addresses. A name that was pointed elsewhere is therefore vetted anew and never reuses an old connection.
 * - Certificates are checked under every policy, against the name and not the address.
 *
 * *Gotchas*
 * - A kept connection that the receiver closed in the same moment is no fault of the receiver: the request is sent once
 *   more on a new connection, within the same deadline. A receiver may so see one event twice; it has the event's id.
 * - `node:http` and not `undici`, which fails a receiver that sends `100 Continue` and lets endless 1xx responses pass its
 *   time-out.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import * as Span from "@freehold/core/operation/Span"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { Cause, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { getCACertificates } from "node:tls"
import { AddressGuard, type VettedTarget } from "./AddressGuard.ts"
import * as Pools from "./Pools.ts"
import { answerLimit, type FailureReason, ofStatus, SendOutcome, withAnswer } from "./SendOutcome.ts"

export interface OutgoingWebhook {
  readonly url: string
  readonly eventId: string
  readonly eventType: string
  /** The headers in which `body` is signed. */
  readonly signatures: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface SenderOptions {
  /** The deadline for everything up to the end of the response headers. */
  readonly timeout?: Duration.Input
  /** PEM certificates of authorities to trust besides the platform's. */
  readonly authorities?: ReadonlyArray<string>
}

/** The steps of an attempt, each named after the failure that it can have. */
type Phase = Exclude<FailureReason, "timeout">

/** How far an attempt has come; shared with the deadline, which reports it. */
interface Progress {
  phase: Phase
  /** Set when the response headers have arrived; nothing that happens later changes it. */
  outcome?: SendOutcome
}

const bodyLimit = 16 * 1024
const bodyDeadline = 500
/** An honest receiver sends one or two; a flood of them would keep this process reading until the deadline. */
const informationalLimit = 20

const waitingFor = {
  dns: "name lookup",
  connect: "connection",
  tls: "TLS handshake",
  protocol: "response headers"
} as const satisfies Record<Phase, string>

const ErrorWithCode = Schema.Struct({ code: Schema.String })
const isErrorWithCode = Schema.is(ErrorWithCode)

const failed = (reason: FailureReason, detail: string): SendOutcome => SendOutcome.cases.Failed.make({ reason, detail })

/** Reads off a body, within bounds, and answers how it begins; a connection whose body was left is closed. */
const drain = (response: Http.IncomingMessage, done: (beginning: Uint8Array) => void): void => {
  let left = bodyLimit
  let beginning = Buffer.alloc(0)
  const isPacked = response.headers["content-encoding"] !== undefined
  const timer = setTimeout(() => response.destroy(), bodyDeadline)
  response.on("data", (chunk: Buffer) => {
    left -= chunk.length
    if (!isPacked && beginning.length < answerLimit) {
      beginning = Buffer.concat([beginning, chunk.subarray(0, answerLimit - beginning.length)])
    }
    if (left < 0) response.destroy()
  })
  response.on("error", () => response.destroy())
  response.once("close", () => {
    clearTimeout(timer)
    done(beginning)
  })
}

const track = (socket: NodeJS.EventEmitter, secure: boolean, progress: Progress): void => {
  progress.phase = "connect"
  socket.once("connect", () => {
    progress.phase = secure ? "tls" : "protocol"
  })
  socket.once("secureConnect", () => {
    progress.phase = "protocol"
  })
}

/** How an attempt ends whose time is over. */
const ended = ({ outcome, phase }: Progress): SendOutcome =>
  outcome ?? failed("timeout", `waiting for the ${waitingFor[phase]}`)

/** One request on one connection, within so many milliseconds; none when a kept connection turned out to be closed. */
const request = (
  webhook: OutgoingWebhook,
  target: VettedTarget,
  agent: Http.Agent,
  progress: Progress,
  millis: number
): Effect.Effect<Option.Option<SendOutcome>> =>
  Effect.callback((resume) => {
    const finish = (outcome: Option.Option<SendOutcome>) => {
      clearTimeout(deadline)
      resume(Effect.succeed(outcome))
    }
    const end = (outcome: SendOutcome) => finish(Option.some(outcome))
    const deadline = setTimeout(() => {
      end(ended(progress))
      outgoing.destroy()
    }, millis)
    const outgoing = (target.secure ? Https : Http).request({
      agent,
      method: "POST",
      hostname: target.hostname,
      port: target.port,
      path: target.path,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": webhook.body.byteLength,
        "User-Agent": "Freehold-Webhooks/1",
        ...webhook.signatures,
        "Service-Event-Id": webhook.eventId,
        "Service-Event-Type": webhook.eventType
      }
    })
    outgoing.once("socket", (socket) => {
      if (outgoing.reusedSocket) progress.phase = "protocol"
      else track(socket, target.secure, progress)
    })
    let informational = 0
    outgoing.on("information", function tell() {
      informational += 1
      if (informational <= informationalLimit) return
      outgoing.off("information", tell)
      end(failed("protocol", `more than ${informationalLimit} informational responses`))
      outgoing.destroy()
    })
    outgoing.once("response", (response) => {
      const outcome = ofStatus(response.statusCode ?? 0)
      progress.outcome = outcome
      drain(response, (beginning) => end(withAnswer(outcome, beginning)))
    })
    outgoing.once("upgrade", (response, socket) => {
      progress.outcome = ofStatus(response.statusCode ?? 0)
      socket.destroy()
      end(progress.outcome)
    })
    outgoing.on("error", (cause) => {
      const code = isErrorWithCode(cause) ? cause.code : cause.name
      if (progress.outcome !== undefined) end(progress.outcome)
      else if (outgoing.reusedSocket && (code === "ECONNRESET" || code === "EPIPE")) finish(Option.none())
      else end(failed(progress.phase, code))
    })
    outgoing.end(webhook.body)
    return Effect.sync(() => {
      clearTimeout(deadline)
      outgoing.destroy()
    })
  })

export class Sender extends Context.Service<Sender, {
  /** Makes one attempt. Whatever the receiver does is an outcome, never a failure. */
  send(webhook: OutgoingWebhook): Effect.Effect<SendOutcome>
}>()("@freehold/webhook-worker/Sender") {
  /** Needs an `AddressGuard`. */
  static readonly layerNoDeps = ({ authorities, timeout = "10 seconds" }: SenderOptions) =>
    Layer.effect(
      Sender,
      Effect.gen(function*() {
        const guard = yield* AddressGuard
        // Naming authorities replaces the platform's, so they are added to those.
        const ca = authorities === undefined ? undefined : [...getCACertificates("default"), ...authorities]
        const pools = yield* Pools.make(ca)
        const limit = Duration.toMillis(timeout)

        const vet = (url: string) =>
          TimeLimit.within(guard.vet(url), { millis: limit, late: () => Effect.fail(new Cause.TimeoutError()) })

        const attempt = Effect.fnUntraced(
          function*(webhook: OutgoingWebhook) {
            const begun = performance.now()
            const left = () => Math.max(0, limit - (performance.now() - begun))
            const target = yield* vet(webhook.url)
            const progress: Progress = { phase: "connect" }
            const first = yield* pools.use(target, (agent) => request(webhook, target, agent, progress, left()))
            if (Option.isSome(first)) return first.value
            const second = yield* request(webhook, target, Pools.agentFor(target, ca, false), progress, left())
            return Option.getOrElse(second, () => failed("protocol", "ECONNRESET"))
          },
          Effect.catchTags({
            HostUnresolved: ({ code }) => Effect.succeed(failed("dns", code)),
            TimeoutError: () => Effect.succeed(ended({ phase: "dns" })),
            PrivateAddress: ({ message }) =>
              Effect.succeed(SendOutcome.cases.Blocked.make({ rule: "private_address", detail: message })),
            TargetRefused: ({ message, rule }) =>
              Effect.succeed(SendOutcome.cases.Blocked.make({ rule, detail: message }))
          })
        )

        return Sender.of({
          send: (webhook) => Span.named("Sender.send")(attempt(webhook))
        })
      })
    )

  /** With the address guard of the policy. */
  static readonly layer = ({ policy, ...options }: SenderOptions & { readonly policy: TargetPolicy }) =>
    Sender.layerNoDeps(options).pipe(Layer.provide(AddressGuard.layer({ policy })))
}
