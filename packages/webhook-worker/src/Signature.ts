/**
 * Signs webhook bodies, in two ways by the same secret.
 *
 * `Service-Signature` is `t=<unix seconds>,v1=<hex>`, where the value is HMAC-SHA256, keyed with the whole secret (its
 * `whsec_` prefix included), over `t`, a dot and the body's bytes. `webhook-signature` is that of Standard Webhooks,
 * `v1,<base64>`: keyed with the bytes that the rest of the secret encodes, over the id, the time and the body with dots
 * between, so that libraries that exist verify it.
 *
 * While a secret is being rotated there are two: each header then carries a signature by either, so that a receiver with
 * one of them verifies. `VerifySignature` is the receiver's side; `signature-vectors.json` fixes both.
 */
import { type Array as Arr, Redacted } from "effect"
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"

type Secrets = Arr.NonEmptyReadonlyArray<Redacted.Redacted>

/** What is signed, by whom and when. */
export interface Signing {
  readonly secrets: Secrets
  /** The same on every attempt: what the receiver tells repeats by. */
  readonly id: string
  readonly unixSeconds: number
  readonly body: Uint8Array
}

/** The keys that a secret stands for. */
interface Keys {
  /** The whole of it. */
  readonly own: KeyObject
  /** What it encodes, in the alphabet of new secrets or in the one of old ones; none when it encodes none. */
  readonly standard: ReadonlyArray<KeyObject>
}

/** Standard Webhooks asks for so many; with fewer, what looks signed could be guessed. */
const fewestKeyBytes = 24

const makeKeys = (secret: string): Keys => {
  const [, encoded] = /^whsec_([\w+/-]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(encoded ?? "", "base64")
  return {
    own: createSecretKey(secret, "utf8"),
    standard: key.length < fewestKeyBytes ? [] : [createSecretKey(key)]
  }
}

/** Of secrets that several deliveries are signed by: to make a key costs as much as to sign. */
const known = new WeakMap<Redacted.Redacted, Keys>()

const keysOf = (secret: Redacted.Redacted): Keys => {
  const keys = known.get(secret) ?? makeKeys(Redacted.value(secret))
  known.set(secret, keys)
  return keys
}

/** The value of `Service-Signature`. Sign and send the same bytes: a body serialised again will not verify. */
export const sign = (secrets: Secrets, unixSeconds: number, body: Uint8Array): string => {
  const signatures = secrets.map((secret) =>
    createHmac("sha256", keysOf(secret).own).update(`${unixSeconds}.`).update(body).digest("hex")
  )
  return [`t=${unixSeconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",")
}

/** The headers of Standard Webhooks; none when no secret encodes a key. */
export const standardHeaders = ({ body, id, secrets, unixSeconds }: Signing): Readonly<Record<string, string>> => {
  const keys = secrets.flatMap((secret) => keysOf(secret).standard)
  if (keys.length === 0) return {}
  const signatures = keys.map((key) =>
    `v1,${createHmac("sha256", key).update(`${id}.${unixSeconds}.`).update(body).digest("base64")}`
  )
  return { "webhook-id": id, "webhook-timestamp": String(unixSeconds), "webhook-signature": signatures.join(" ") }
}

/** Every header in which a delivery is signed. */
export const headers = (signing: Signing): Readonly<Record<string, string>> => ({
  "Service-Signature": sign(signing.secrets, signing.unixSeconds, signing.body),
  ...standardHeaders(signing)
})
