/**
 * The requests of a soak: several organizations, each with a key, in this mix.
 *
 * | of 100 | kind   | what                                                       |
 * | -----: | ------ | ---------------------------------------------------------- |
 * |     25 | me     | GET /me                                                    |
 * |     20 | search | POST /properties/search of a county, 20 rows               |
 * |     20 | detail | GET /properties/{id}/detail of one that is unlocked        |
 * |     10 | feed   | GET /leads                                                 |
 * |     15 | tool   | tools/call at /mcp: the account, and a search of 10 rows   |
 * |     10 | unlock | POST /properties/{id}/unlock, each a pair that is new      |
 */
import { countyFips, propertyId } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { randomOf } from "../SeededRandom.ts"

export const kinds = ["me", "search", "detail", "feed", "tool", "unlock"] as const

export type Kind = typeof kinds[number]

export interface Scene {
  readonly secrets: ReadonlyArray<string>
  readonly properties: number
  /** The first so many are unlocked by each organization before it begins. */
  readonly unlocked: number
  readonly counties: number
}

export interface Asked {
  readonly kind: Kind
  readonly secret: string
  readonly method: "GET" | "POST"
  /** Below the API's root. */
  readonly path: string
  readonly body: string
}

const shares: ReadonlyArray<readonly [Kind, number]> = [
  ["me", 25],
  ["search", 20],
  ["detail", 20],
  ["feed", 10],
  ["tool", 15],
  ["unlock", 10]
]

const kindAt = (percent: number): Kind => {
  let left = percent
  for (const [kind, share] of shares) {
    if (left < share) return kind
    left -= share
  }
  return "me"
}

const call = (name: string, input: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })

/** Unlocks the `n`-th property, counted from 1. */
export const unlockPath = (n: number): string => `/properties/${propertyId(n)}/unlock`

/** The requests one after the other, without an end. */
export const requests = ({ counties, properties, secrets, unlocked }: Scene): () => Asked => {
  const random = randomOf(1)
  let unlocks = 0
  const searchOf = (limit: number) => ({ filters: { countyFips: [countyFips(random.below(counties))] }, limit })
  const get = (path: string) => ({ method: "GET" as const, path, body: "" })
  const post = (path: string, body: string) => ({ method: "POST" as const, path, body })
  const of = (kind: Kind) => {
    switch (kind) {
      case "me":
        return get("/me")
      case "search":
        return post("/properties/search", JSON.stringify(searchOf(20)))
      case "detail":
        return get(`/properties/${propertyId(1 + random.below(unlocked))}/detail`)
      case "feed":
        return get("/leads")
      case "tool":
        return post(
          "/mcp",
          random.below(2) === 0
            ? call("service_get_account", {})
            : call("service_search_properties", { ...searchOf(10), verbosity: "compact" })
        )
      case "unlock":
        return post(unlockPath(1 + (unlocked + Math.floor(unlocks / secrets.length)) % properties), "")
    }
  }
  return () => {
    const kind = kindAt(random.below(100))
    const asked = of(kind)
    const place = kind === "unlock" ? unlocks++ : random.below(secrets.length)
    return { kind, secret: secrets[place % secrets.length] ?? "", ...asked }
  }
}
