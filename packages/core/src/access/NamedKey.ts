/** Keys are known by name in a document, and several may have had the same one. */
import type { Credential } from "./KeyRing.ts"

/** The key that a name means: the active one, else the revoked one that was made last. */
export const named = (credentials: ReadonlyArray<Credential>, name: string): Credential | undefined =>
  credentials.find((credential) => credential.name === name && credential.status === "active")
    ?? credentials.findLast((credential) => credential.name === name)

/** Whether a name says of several active keys which is meant. */
export const isAmbiguous = (credentials: ReadonlyArray<Credential>, name: string): boolean =>
  credentials.filter((credential) => credential.name === name && credential.status === "active").length > 1
