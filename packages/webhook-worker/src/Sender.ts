/**
 * Sends one webhook: a POST over HTTP/1.1 to an address that `AddressGuard` has just vetted, answered by an outcome.
 *
 * - One deadline covers name lookup, connecting, TLS and the response headers. The outcome is decided when the headers
 *   have arrived. Of the body at most 16 KiB is read off before it is returned, for two seconds if it does not end there, so that
 *   the connection can be used again, and a receiver that trickles or floods keeps its own place occupied and no other.
 * - Redirects are never followed. Informational responses (`100 Continue`, `102 Processing`) are passed over and do not
 *   move the deadline; a receiver that sends more than twenty of them has failed.
 * - Connections are kept alive in pools keyed by origin and addresses, and a pool can connect to nothing but its
 *   addresses. A name that was pointed elsewhere is therefore vetted anew and never reuses an old connection.
 * - Certificates are checked under every policy, against the name and not the address.
 *
 * *Gotchas*
 * - A kept connection that the receiver closed in the same moment is no fault of the receiver: the request is sent once
 *   more on a new connection, within the same deadline. A receiver may so see one event twice; it has the event's id.
 * - Over sockets (`Connection`), since to send is what the worker does most: `node:http` takes more than twice the processor time of it,
 *   and `undici` fails a receiver that sends `100 Continue` and lets endless 1xx responses pass its time-out.
 */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import * as Span from "@freehold/core/operation/Span"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { Cause, Context, Duration, Effect, Layer, Option } from "effect"
import { isIPv6 } from "node:net"
import { getCACertificates } from "node:tls"
import { AddressGuard, type VettedTarget } from "./AddressGuard.ts"
import type { Phase } from "./Connection.ts"
import * as Connections from "./Connections.ts"
import * as Pools from "./Pools.ts"
import { type FailureReason, ofStatus, SendOutcome, withAnswer } from "./SendOutcome.ts"

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

/** How far an attempt has come; shared with the deadline, which reports it. */
interface Progress {
  phase: Phase | "dns"
  /** Set when the response headers have arrived; nothing that happens later changes it. */
  outcome?: SendOutcome
}

const waitingFor = {
  dns: "name lookup",
  connect: "connection",
  tls: "TLS handshake",
  protocol: "response headers"
} as const satisfies Record<Progress["phase"], string>

const failed = (reason: FailureReason, detail: string): SendOutcome => SendOutcome.cases.Failed.make({ reason, detail })

/** How an attempt ends whose time is over. */
const ended = ({ outcome, phase }: Progress): SendOutcome =>
  outcome ?? failed("timeout", `waiting for the ${waitingFor[phase]}`)

/** Nothing that would begin a line of its own, whoever made it. */
const isOneLine = /^[\x20-\x7e]*$/

const hostOf = ({ hostname, port, secure }: VettedTarget): string =>
  `${isIPv6(hostname) ? `[${hostname}]` : hostname}${port === (secure ? 443 : 80) ? "" : `:${port}`}`

/** The request line and the headers. */
const headOf = ({ body, eventId, eventType, signatures }: OutgoingWebhook, target: VettedTarget): string => {
  const fields = {
    "Content-Type": "application/json",
    "Content-Length": String(body.byteLength),
    "User-Agent": "Freehold-Webhooks/1",
    ...signatures,
    "Service-Event-Id": eventId,
    "Service-Event-Type": eventType,
    "Host": hostOf(target),
    "Connection": "keep-alive"
  }
  let head = `POST ${target.path} HTTP/1.1`
  for (const [name, value] of Object.entries(fields)) {
    if (!isOneLine.test(value)) throw new Error(`the header ${name} of a webhook is more than a line of ASCII`)
    head += `\r\n${name}: ${value}`
  }
  return `${head}\r\n\r\n`
}

/** One request on one connection, within so many milliseconds; none when a kept connection turned out to be closed. */
const request = (
  webhook: OutgoingWebhook,
  target: VettedTarget,
  connections: Connections.Connections,
  progress: Progress,
  millis: number,
  isFresh: boolean
): Effect.Effect<Option.Option<SendOutcome>> =>
  Effect.callback((resume) => {
    const head = headOf(webhook, target)
    const connection = connections.take(isFresh)
    const finish = (outcome: Option.Option<SendOutcome>) => {
      clearTimeout(deadline)
      resume(Effect.succeed(outcome))
    }
    const deadline = setTimeout(() => {
      connection.close()
      finish(Option.some(ended(progress)))
    }, millis)
    connection.ask(head, webhook.body, {
      reached: (phase) => {
        progress.phase = phase
      },
      answered: (status) => {
        progress.outcome = ofStatus(status)
      },
      ended: (beginning) => {
        finish(Option.some(withAnswer(ended(progress), beginning)))
      },
      failed: (detail, isStale) => {
        finish(isStale ? Option.none() : Option.some(failed(progress.phase, detail)))
      }
    })
    return Effect.sync(() => {
      clearTimeout(deadline)
      connection.close()
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
        const pools = yield* Pools.make((target) => Connections.make(target, ca), (connections) => connections.close())
        const limit = Duration.toMillis(timeout)

        const vet = (url: string) =>
          TimeLimit.within(guard.vet(url), { millis: limit, late: () => Effect.fail(new Cause.TimeoutError()) })

        const attempt = Effect.fnUntraced(
          function*(webhook: OutgoingWebhook) {
            const begun = performance.now()
            const left = () => Math.max(0, limit - (performance.now() - begun))
            const target = yield* vet(webhook.url)
            const progress: Progress = { phase: "connect" }
            const ask = (isFresh: boolean) =>
              pools.use(target, (connections) => request(webhook, target, connections, progress, left(), isFresh))
            const first = yield* ask(false)
            return Option.isSome(first)
              ? first.value
              : Option.getOrElse(yield* ask(true), () => failed("protocol", "ECONNRESET"))
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
