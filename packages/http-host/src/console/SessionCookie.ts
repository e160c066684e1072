/**
 * The cookie of a session: the browser alone keeps the secret, no script of a page reads it.
 *
 * Over TLS its name has the prefix `__Host-`, so that no other host of the domain can set it. On loopback without TLS, where
 * all ports of a host share their cookies, the port is part of the name. `SameSite=Lax`: a link in a CRM opens the app
 * signed in, and no other site can send a POST with it.
 */
import { Duration, Redacted } from "effect"

export interface SessionCookie {
  /** The secret that a request's Cookie header has; null: none. */
  readonly read: (header: string | undefined) => Redacted.Redacted | null
  /** The Set-Cookie header that keeps it. */
  readonly keep: (secret: Redacted.Redacted, lifetime: Duration.Duration) => string
  /** The Set-Cookie header that forgets it. */
  readonly forget: string
}

const pairsIn = (header: string): ReadonlyArray<string> => header.split(";").map((pair) => pair.trim())

const named = /^(?:__Host-freehold|freehold-\d+)=/

/** What a Cookie header has of the one session in it, whichever origin keeps it; undefined: it has none, or several. */
export const onlySessionIn = (header: string): string | undefined => {
  const [only, ...others] = pairsIn(header).filter((pair) => named.test(pair))
  return others.length === 0 ? only : undefined
}

/** Of the origin that clients dial. `purpose`: what is kept, if it is no session. */
export const make = (origin: string, purpose?: string): SessionCookie => {
  const { port, protocol } = new URL(origin)
  const isSecure = protocol === "https:"
  const common = isSecure ? "__Host-freehold" : `freehold-${port === "" ? "80" : port}`
  const name = purpose === undefined ? common : `${common}-${purpose}`
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", ...isSecure ? ["Secure"] : []]
  const written = (value: string, seconds: number) =>
    [`${name}=${value}`, `Max-Age=${seconds}`, ...attributes].join("; ")
  return {
    read: (header = "") => {
      const value = pairsIn(header).find((pair) => pair.startsWith(`${name}=`))
      return value === undefined ? null : Redacted.make(value.slice(name.length + 1))
    },
    keep: (secret, lifetime) => written(Redacted.value(secret), Math.floor(Duration.toSeconds(lifetime))),
    forget: written("", 0)
  }
}
