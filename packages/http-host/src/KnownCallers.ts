/**
 * The organizations that credentials were let in for of late, so that whose request it is can be told before it is admitted.
 *
 * Turns and places are shared between clients. By its address a crowd of one organization would be as many clients as it has
 * addresses; by its credential it is one. It decides nothing but who waits behind whom: a credential that is no longer valid is
 * refused by admission as ever.
 */
import { bearerOf } from "@freehold/core/access/Admission"
import { remember } from "@freehold/core/operation/Remember"
import { Option, Redacted } from "effect"
import { hash } from "node:crypto"
import * as SessionCookie from "./console/SessionCookie.ts"

/** As many credentials are remembered; those that came last. */
export const capacity = 10_000

/** What a request says of its caller. */
export class Claim {
  /** The value of `Authorization`, as it came. */
  readonly authorization: string | undefined
  /** That of `Freehold-Organization`, which a person of several names. */
  readonly organization: string | undefined
  /** That of `Cookie`, where the app asks. */
  readonly cookie: string | undefined
  #digest: string | null | undefined = undefined

  constructor(authorization: string | undefined, organization?: string, cookie?: string) {
    this.authorization = authorization
    this.organization = organization
    this.cookie = cookie
  }

  /** Who is one caller however the headers are written: a key or a session is of one organization, whichever is named. */
  #credential(): string | null {
    if (this.authorization === undefined) return SessionCookie.onlySessionIn(this.cookie ?? "") ?? null
    const bearer = Option.getOrNull(Option.map(bearerOf(this.authorization), Redacted.value))
    return bearer === null || bearer.startsWith("fhk_") ? bearer : `${this.organization ?? ""}\n${bearer}`
  }

  /** Secrets are not kept: a digest tells them apart as well. It is asked for more than once for each request. */
  get digest(): string | null {
    if (this.#digest === undefined) {
      const credential = this.#credential()
      this.#digest = credential === null ? null : hash("sha256", credential, "base64")
    }
    return this.#digest
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
