/**
 * Notices when the authorization server has stopped answering, so that somebody is told: once it has failed for a while with no
 * answer in between.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Notices } from "../notice/Notices.ts"
import * as Teller from "../notice/Teller.ts"
import { hostOf } from "../operation/UrlHost.ts"

/** A failure that passes within this time is told to nobody. */
export const patience = Duration.minutes(1)

/** Who is told of the answers of an authorization server, and of those that fail to come. Nobody, where nothing is provided. */
export const IssuerWatch = Context.Reference<{
  failed(issuer: string): Effect.Effect<void>
  readonly answered: Effect.Effect<void>
}>("@freehold/core/access/IssuerWatch", {
  defaultValue: () => ({ failed: () => Effect.void, answered: Effect.void })
})

/** Tells the operator. */
export const layer: Layer.Layer<never, never, Notices | SecureRandom.SecureRandom> = Layer.effect(
  IssuerWatch,
  Effect.gen(function*() {
    const tell = yield* Teller.make
    /** Of the failures that go on. Told again a day later, not with every call that fails. */
    let trouble: { readonly since: number; readonly toldAt: number | null } | null = null
    const failed = Effect.fnUntraced(function*(issuer: string) {
      const now = yield* Clock.currentTimeMillis
      const { since, toldAt } = trouble ?? { since: now, toldAt: null }
      const isDue = now - since >= Duration.toMillis(patience)
        && (toldAt === null || now - toldAt >= Duration.toMillis(Duration.days(1)))
      trouble = { since, toldAt: isDue ? now : toldAt }
      if (!isDue) return
      const from = DateTime.formatIso(DateTime.makeUnsafe(since))
      yield* tell({
        orgId: null,
        kind: "sign_in_unreachable",
        cause: issuer,
        text: `People cannot sign in: ${hostOf(issuer)} has not answered since ${from}.`
      })
    })
    return { failed, answered: Effect.sync(() => void (trouble = null)) }
  })
)
