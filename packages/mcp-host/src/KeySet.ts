/**
 * The keys that an authorization server publishes (RFC 7517): those that may verify a signature here, and what is wrong with the
 * others. One that is weak or malformed keeps none of the others from verifying.
 *
 * *Gotcha.* Keys that are not for signatures (`use`, `key_ops`) are no concern of ours, and nothing is said of them.
 */
import { excerpt } from "@freehold/core/operation/Excerpt"
import { Effect, Predicate } from "effect"
import { importJWK, type JWK } from "jose"
import { boundedFetch } from "./BoundedFetch.ts"
import { deadline, faultOf, IssuerFault, type Metadata } from "./IssuerMetadata.ts"

/** Signatures of public keys; nothing that the holder of a shared secret could make. */
export const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]

/** Servers publish a handful. */
const mostKeys = 100

/** So many stand in a sentence. */
const toldKeys = 5

const fewestBits = 2048

/** An algorithm by which a key of a curve is read. */
const byCurve: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  "Ed25519": "EdDSA"
}

export interface UnusableKey {
  /** Its `kid`, or its place. */
  readonly name: string
  readonly reason: string
}

export interface KeySet {
  readonly usable: ReadonlyArray<JWK>
  readonly unusable: ReadonlyArray<UnusableKey>
}

/** The unusable ones in a sentence. */
export const told = (unusable: ReadonlyArray<UnusableKey>): string => {
  const more = unusable.length - toldKeys
  return [
    ...unusable.slice(0, toldKeys).map(({ name, reason }) => `${name} ${reason}`),
    ...more > 0 ? [`and ${more} more`] : []
  ].join("; ")
}

const bitsOf = (modulus: unknown): number => {
  const bytes = Buffer.from(typeof modulus === "string" ? modulus : "", "base64url")
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}

const isForSignatures = ({ key_ops, use }: JWK): boolean =>
  (use === undefined || use === "sig") && (!Array.isArray(key_ops) || key_ops.includes("verify"))

/** What is seen of a key without reading it; null: nothing is wrong. */
const shortcomingOf = ({ alg, crv, d, kty, n }: JWK): string | null => {
  if (kty === "oct") return "is a shared secret, which everybody can read now"
  if (d !== undefined) return "is a private key, which everybody can read now"
  if (alg !== undefined && !algorithms.includes(alg)) {
    return `is for ${excerpt(String(alg))}, which is not accepted here`
  }
  if (kty === "RSA") {
    const bits = bitsOf(n)
    return bits < fewestBits ? `has ${bits} bits, and RSA needs ${fewestBits}` : null
  }
  if (kty !== "EC" && kty !== "OKP") return `is of a kind that is not known here: ${excerpt(String(kty))}`
  return Object.hasOwn(byCurve, String(crv)) ? null : `has a curve that is not known here: ${excerpt(String(crv))}`
}

const readingOf = (key: JWK): Promise<string | null> =>
  importJWK(key, key.alg ?? byCurve[String(key.crv)] ?? "RS256").then(
    () => null,
    (cause: unknown) => `cannot be read: ${cause instanceof Error ? excerpt(cause.message) : "it is malformed"}`
  )

const isKey = (given: unknown): given is JWK => Predicate.isObject(given) && typeof given["kty"] === "string"

/** Of a document that is no key set: rejects. */
export const judge = async (document: unknown): Promise<KeySet> => {
  if (!Predicate.hasProperty(document, "keys") || !Array.isArray(document.keys)) {
    throw new Error("what it publishes is no set of keys")
  }
  const given: ReadonlyArray<unknown> = document.keys
  const usable: Array<JWK> = []
  const unusable: Array<UnusableKey> = []
  for (const [place, key] of given.slice(0, mostKeys).entries()) {
    const name = isKey(key) && typeof key.kid === "string" ? excerpt(key.kid) : `number ${place + 1}`
    if (!isKey(key)) unusable.push({ name, reason: "is no key" })
    else if (isForSignatures(key)) {
      const reason = shortcomingOf(key) ?? await readingOf(key)
      if (reason !== null) unusable.push({ name, reason })
      else usable.push(key)
    }
  }
  if (given.length > mostKeys) {
    unusable.push({ name: `number ${mostKeys + 1}`, reason: `and those after it are not looked at: ${mostKeys} are` })
  }
  return { usable, unusable }
}

/** The keys of an authorization server, asked anew. */
export const read = ({ issuer, jwks_uri }: Metadata) =>
  Effect.tryPromise({
    try: (signal) =>
      boundedFetch(jwks_uri, { signal, redirect: "error", headers: { accept: "application/json" } }).then((response) =>
        response.ok ? response.json().then(judge) : Promise.reject(new Error(`status ${response.status}`))
      ),
    catch: faultOf(jwks_uri)
  }).pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () => Effect.fail(new IssuerFault({ reason: `${issuer}: its keys did not come in time` }))
    })
  )
