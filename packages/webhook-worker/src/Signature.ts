/**
 * Signs webhook bodies. The header is `t=<unix seconds>,v1=<hex>`, where the value is HMAC-SHA256, keyed with the whole
 * secret (its `whsec_` prefix included), over `t`, a dot and the body's bytes.
 *
 * While a secret is being rotated there are two: the header then carries one `v1` for each, so that a receiver with
 * either verifies. `VerifySignature` is the receiver's side; `signature-vectors.json` fixes both.
 */
import { type Array as Arr, Redacted } from "effect"
import { createHmac } from "node:crypto"

/** The value of `Service-Signature`. Sign and send the same bytes: a body serialised again will not verify. */
export const sign = (
  secrets: Arr.NonEmptyReadonlyArray<Redacted.Redacted>,
  unixSeconds: number,
  body: Uint8Array
): string => {
  const signatures = secrets.map((secret) =>
    createHmac("sha256", Redacted.value(secret)).update(`${unixSeconds}.`).update(body).digest("hex")
  )
  return [`t=${unixSeconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",")
}
