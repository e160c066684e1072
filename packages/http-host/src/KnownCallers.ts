/**
 * The organizations that credentials were let in for of late, so that whose request it is can be told before it is admitted.
 *
 * Turns and places are shared between clients. By its address a crowd of one organization would be as many clients as it has
 * addresses; by its credential it is one. It decides nothing but who waits behind whom: a credential that is no longer valid is
 * refused by admission as ever.
 */
import { remember } from "@freehold/core/operation/Remember"
import { hash } from "node:crypto"

/** As many credentials are remembered; those that came last. */
export const capacity = 10_000

/** What a request says of its caller. */
export class Claim {
  /** The value of `Authorization`, as it came. */
  readonly authorization: string | undefined
  /** That of `Freehold-Organization`, which a person of several names. */
  readonly organization: string | undefined
  /** That of `Cookie`: a person's session, where the app asks. */
  readonly cookie: string | undefined
  #digest: string | null = null

  constructor(authorization: string | undefined, organization?: string, cookie?: string) {
    this.authorization = authorization
    this.organization = organization
    this.cookie = cookie
  }

  /** A key is of one organization, whichever the request names. */
  #isKey(): boolean {
    return this.authorization?.includes("fhk_") === true
  }

  /** Secrets are not kept: a digest tells them apart as well. It is asked for more than once for each request. */
  get digest(): string | null {
    const credential = this.authorization ?? this.cookie
    return this.#digest ??= credential === undefined
      ? null
      : hash("sha256", `${this.#isKey() ? "" : this.organization ?? ""}\n${credential}`, "base64")
  }
}

const textOf = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

/** Names of headers in lower case. */
export const claimOf = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): Claim =>
  new Claim(textOf(headers["authorization"]), textOf(headers["freehold-organization"]), textOf(headers["cookie"]))

export interface KnownCallers {
  /** The organization for which a request with the same headers was let in last; null: none is known. */
  readonly find: (claim: Claim) => string | null
  readonly remember: (claim: Claim, orgId: string) => void
}

export const make = (): KnownCallers => {
  /** Whoever was let in last stands last. */
  const organizations = new Map<string, string>()

  return {
    find: ({ digest }) => organizations.get(digest ?? "") ?? null,
    remember: ({ digest }, orgId) => {
      if (digest !== null) remember(organizations, digest, orgId, capacity)
    }
  }
}

/** Those of this process. */
export const ofProcess: KnownCallers = make()
