/**
 * The header `Idempotency-Key` on endpoints that write or spend: the same request under the same key is done once and
 * answered the same for 24 hours. docs/decisions/0006-idempotency-keys.md.
 *
 * A repeated answer has the header `Idempotency-Replayed: true`, its body is that of the first, less what may not be told any more
 * (`Route.again`), and it charged nothing.
 */
import { Caller } from "@freehold/core/access/Caller"
import type { Refusal } from "@freehold/core/catalogue/Catalogue"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { Workload } from "@freehold/core/load/Workload"
import { canonical, Idempotency, type IdempotencyRefusal, parseKey } from "@freehold/core/operation/Idempotency"
import { invalid, type InvalidInput } from "@freehold/core/operation/InvalidInput"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Clock, Effect, Record, Schema } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import type { Answer } from "./Envelope.ts"
import type { Route } from "./Routes.ts"

export const header = "idempotency-key"

/** Whether the endpoint looks at the header; elsewhere it is ignored. */
export const applies = ({ operation: { effect } }: Pick<Route, "operation">): boolean =>
  effect === "write" || effect === "spend"

const Kept = Schema.fromJsonString(Schema.Struct({
  data: Schema.Unknown,
  meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}))

/** What is kept: of the headers those that belong to the endpoint's answer, not to the call. */
const keep = ({ shape }: Route, { data, headers = {}, meta }: Answer): string => {
  const own = shape === null ? {} : Record.filter(headers, (_, name) => Object.hasOwn(shape.headers, name))
  return JSON.stringify({ data, ...(meta === undefined ? {} : { meta }), headers: own })
}

export const make = Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const workload = yield* Workload
  const digest = yield* Digest.Digest
  const source = yield* BundleSource

  const replay = Effect.fnUntraced(function*({ again, operation }: Route, text: string) {
    const { data, ...kept } = yield* Effect.orDie(Schema.decodeEffect(Kept)(text))
    const told = again === null ? Effect.succeed(data) : workload.within(operation.work, again(data))
    const answer: Answer = {
      ...kept,
      data: yield* told,
      headers: {
        ...kept.headers,
        "idempotency-replayed": "true",
        ...(operation.effect === "spend" ? { "service-credits-charged": "0" } : {})
      }
    }
    return answer
  }, Effect.provideService(BundleSource, source))

  const onceByKey = Effect.fnUntraced(function*<E, R>(
    route: Route,
    input: unknown,
    run: Effect.Effect<Answer, E, R>
  ): Effect.fn.Return<
    Answer,
    E | IdempotencyRefusal | InvalidInput | Refusal | TemporarilyUnavailable,
    R | Caller | HttpServerRequest.HttpServerRequest
  > {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const given = headers[header]
    if (given === undefined) return yield* run
    const key = parseKey(given)
    if (key === null) return yield* invalid("Idempotency-Key", "Expected 1 to 255 printable ASCII characters")
    const { credentialId, organization } = yield* Caller
    const request = {
      orgId: organization.org_id,
      credentialId,
      key,
      operation: route.operation.name,
      fingerprint: yield* Effect.orDie(
        digest.digestHex(Digest.sha256, Buffer.from(canonical(route.operation.name, input)))
      ),
      mustReplay: route.chargesAgain,
      now: yield* Clock.currentTimeMillis
    }
    let first: Answer | null = null
    // The place comes before the transaction, so that nobody holds a connection of the database and waits for a place.
    const { answer } = yield* workload.within(
      "write",
      idempotency.once(
        request,
        Effect.map(run, (made) => {
          first = made
          return keep(route, made)
        })
      )
    )
    return first ?? (yield* replay(route, answer))
  })

  /** Runs the endpoint on its input, once if the request has a key. */
  const once = <E, R>(
    route: Route,
    input: unknown,
    run: Effect.Effect<Answer, E, R>
  ): Effect.Effect<
    Answer,
    E | IdempotencyRefusal | InvalidInput | Refusal | TemporarilyUnavailable,
    R | Caller | HttpServerRequest.HttpServerRequest
  > => applies(route) ? onceByKey(route, input, run) : run

  return { once }
})
