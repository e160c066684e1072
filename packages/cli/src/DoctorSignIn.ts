/** What `freehold doctor` says of the authorization server at which people sign in: whether it answers, and what its keys are good for. */
import { discover } from "@freehold/mcp-host/IssuerMetadata"
import * as KeySet from "@freehold/mcp-host/KeySet"
import { Effect, Option } from "effect"
import { Settings } from "./Settings.ts"

interface SignInFinding {
  readonly check: "sign-in"
  readonly outcome: "ok" | "advice" | "fault"
  readonly detail: string
}

const finding = (outcome: SignInFinding["outcome"], detail: string): SignInFinding => ({
  check: "sign-in",
  outcome,
  detail
})

const ofKeys = (issuer: string, { unusable, usable }: KeySet.KeySet): SignInFinding => {
  const at = `people sign in at ${issuer}`
  const others = unusable.length === 0 ? "" : `: ${KeySet.told(unusable)}`
  if (usable.length === 0) {
    return finding("fault", `${at}, which publishes no key that verifies signatures here${others}`)
  }
  return others === ""
    ? finding("ok", at)
    : finding("advice", `${at}, which publishes keys that verify nothing here${others}`)
}

/** Only where people sign in. */
export const signIn = Effect.gen(function*() {
  const { oauthIssuer } = yield* Settings
  if (Option.isNone(oauthIssuer)) return []
  return [
    yield* Effect.match(Effect.flatMap(discover(oauthIssuer.value), KeySet.read), {
      onFailure: ({ message }) => finding("fault", `the authorization server cannot be asked: ${message}`),
      onSuccess: (keys) => ofKeys(oauthIssuer.value, keys)
    })
  ]
})
