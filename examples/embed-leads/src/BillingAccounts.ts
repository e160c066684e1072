/**
 * The port `AccountStanding` over a billing system of our own: who is in arrears there is suspended here, at once.
 *
 * It answers `GET <address>/<org_id>` with `{ "standing": "open" | "suspended" | "closed" }`. What it does not answer is not
 * known, and then nobody of that organization is let in.
 */
import { AccountStanding } from "@freehold/core/access/AccountStanding"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect, Layer, Option, Schema } from "effect"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ standing: Schema.Literals(["open", "suspended", "closed"]) }))

export const layer = (address: string) => {
  const standingOf = (orgId: string) =>
    Effect.tryPromise(async (signal): Promise<unknown> => {
      const response = await fetch(`${address}/${encodeURIComponent(orgId)}`, { signal })
      if (!response.ok) throw new Error(`the billing system answered ${response.status}`)
      return response.json()
    }).pipe(
      Effect.flatMap(decode),
      Effect.mapError(() => new TemporarilyUnavailable({ retryAfterSeconds: 1 }))
    )
  return Layer.succeed(
    AccountStanding,
    Option.some({
      isClosed: (orgId) => Effect.map(standingOf(orgId), ({ standing }) => standing === "closed"),
      isSuspended: (orgId) => Effect.map(standingOf(orgId), ({ standing }) => standing === "suspended")
    })
  )
}
