/**
 * Verifies a webhook's signature, for receivers. A plain function on `node:crypto` alone: a receiver needs no `effect`.
 *
 * *Gotchas*
 * - `body` must be the bytes as they were received. A body that was parsed and serialised again will not verify.
 * - `secret` is the whole signing secret, its `whsec_` prefix included.
 * - During a rotation the header holds several `v1` entries; one that matches is enough. Entries under other names are
 *   ignored, so that a later scheme can be added beside `v1`.
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export interface SignedDelivery {
  /** The value of `Service-Signature`, as received. */
  readonly header: string | null | undefined
  readonly body: Uint8Array
  readonly secret: string
  /** The receiver's clock, in Unix seconds. */
  readonly now?: number
  /** How far the signature's time may be from the receiver's clock, in seconds, both ways. */
  readonly toleranceSeconds?: number
}

export type Verification =
  | { readonly valid: true; readonly timestamp: number }
  | {
    readonly valid: false
    readonly reason: "missing_header" | "malformed_header" | "outside_tolerance" | "wrong_signature"
  }

const refused = (reason: Extract<Verification, { valid: false }>["reason"]): Verification => ({ valid: false, reason })

/** The entries of the header, or `undefined` when it is malformed. */
const parseHeader = (
  header: string
): { readonly time: string; readonly signatures: ReadonlyArray<string> } | undefined => {
  const times: Array<string> = []
  const signatures: Array<string> = []
  for (const entry of header.split(",")) {
    const [, name, value] = /^([a-z0-9]+)=(.+)$/.exec(entry) ?? []
    if (name === undefined || value === undefined) return undefined
    if (name === "t") times.push(value)
    if (name === "v1") signatures.push(value)
  }
  const [time, ...repeated] = times
  const wellFormed = time !== undefined && /^\d{1,12}$/.test(time) && repeated.length === 0 &&
    signatures.length > 0 && signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature))
  return wellFormed ? { time, signatures } : undefined
}

/** Whether the delivery was signed with `secret` within the tolerance. Compares in constant time. */
export const verifySignature = (delivery: SignedDelivery): Verification => {
  const { body, header, now = Math.floor(Date.now() / 1000), secret, toleranceSeconds = 300 } = delivery
  if (header === null || header === undefined || header === "") return refused("missing_header")
  const parsed = parseHeader(header)
  if (parsed === undefined) return refused("malformed_header")
  const expected = createHmac("sha256", secret).update(`${parsed.time}.`).update(body).digest()
  let matches = false
  for (const signature of parsed.signatures) {
    matches = timingSafeEqual(Buffer.from(signature, "hex"), expected) || matches
  }
  if (!matches) return refused("wrong_signature")
  const timestamp = Number(parsed.time)
  return Math.abs(now - timestamp) > toleranceSeconds ? refused("outside_tolerance") : { valid: true, timestamp }
}
