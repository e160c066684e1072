/**
 * What a token of the authorization server says of a person, whichever door it is for.
 *
 * *Gotchas*
 *
 * - Servers that allow custom claims under a URL alone may send `https://<anything>/email` and so on. An address counts
 *   only with the `email_verified` that stands beside it, plain or under the very same URL.
 * - A token that names an organization is for that one alone. So one that names it in a way that cannot be read, or names
 *   two, is invalid, and not one that names none.
 */
import { Option, Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"

export type Claims = Readonly<Record<string, unknown>>

const maximumName = 1_000

/** The text of a claim; null: it is none, or none that can be kept. */
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= maximumName && !/\p{Cc}/u.test(value) &&
    value.isWellFormed()
    ? value
    : null

/** Where a claim stands: "" for its plain name, and the URL, up to its last slash, of each that ends in the name. */
const placesOf = (claims: Claims, name: string): ReadonlyArray<string> =>
  Object.keys(claims)
    .filter((key) => key === name || key.startsWith("https://") && key.endsWith(`/${name}`))
    .map((key) => key.slice(0, -name.length))

/** The one address that is verified where it stands; null: none is, or several are. */
export const verifiedEmail = (claims: Claims): string | null => {
  const verified = placesOf(claims, "email").filter((place) => {
    const claim = claims[`${place}email_verified`]
    return claim === true || claim === "true"
  })
  const [email = null, ...others] = new Set(verified.map((place) => text(claims[`${place}email`])))
  return others.length === 0 ? email : null
}

const isOrganizationId = Schema.is(OrganizationId)

/** The organization that the token names, null where it names none; none where what it names cannot be told. */
export const organizationOf = (claims: Claims): Option.Option<string | null> => {
  const [named, ...others] = new Set(placesOf(claims, "org_id").map((place) => claims[`${place}org_id`]))
  if (others.length > 0) return Option.none()
  return named === undefined ? Option.some(null) : isOrganizationId(named) ? Option.some(named) : Option.none()
}
