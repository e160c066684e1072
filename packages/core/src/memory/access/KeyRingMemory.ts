/** `KeyRing` in memory. */
import { DateTime, Effect, Layer, Option } from "effect"
import { CredentialLimitReached } from "../../access/AccessRefusals.ts"
import { type Credential, KeyRing, maximumActiveKeys, SecretInUse } from "../../access/KeyRing.ts"
import { nextMidnight } from "../../operation/UtcTime.ts"
import { runs, windowMillis } from "../../rate/RateWindow.ts"
import { MemoryState } from "../MemoryState.ts"
import { countRequest } from "./RequestCounting.ts"

/** `KeyRing` in memory. */
export const layer: Layer.Layer<KeyRing, never, MemoryState> = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const ofOrganization = (orgId: string) =>
      [...state.credentials.values()].filter((credential) => credential.orgId === orgId)

    const change = (credentialId: string, of: string | undefined, f: (credential: Credential) => Credential) => {
      for (const [hash, credential] of state.credentials) {
        if (credential.credentialId !== credentialId.toLowerCase()) continue
        if (of !== undefined && credential.orgId !== of) continue
        const changed = f(credential)
        state.credentials.set(hash, changed)
        return Option.some(changed)
      }
      return Option.none()
    }

    return KeyRing.of({
      authorize: Effect.fn("KeyRing.authorize")((secretHash, now) =>
        Effect.sync(() => {
          const credential = state.credentials.get(secretHash)
          const organization = credential === undefined ? undefined : state.organizations.get(credential.orgId)
          if (credential?.status !== "active" || organization === undefined) return Option.none()
          return Option.some({
            credential,
            organization,
            ...countRequest(state, organization, credential.credentialId, now)
          })
        })
      ),
      create: Effect.fn("KeyRing.create")(function*({ secretHash, ...given }) {
        const createdAt = DateTime.toDateUtc(yield* DateTime.now)
        const active = ofOrganization(given.orgId).filter((credential) => credential.status === "active")
        if (state.credentials.has(secretHash)) return yield* new SecretInUse()
        if (active.length >= maximumActiveKeys) {
          return yield* new CredentialLimitReached({ org_id: given.orgId, limit: maximumActiveKeys })
        }
        const credential: Credential = { ...given, status: "active", createdAt, revokedAt: null }
        state.credentials.set(secretHash, credential)
        return credential
      }),
      list: Effect.fn("KeyRing.list")((orgId) => Effect.sync(() => ofOrganization(orgId))),
      revoke: Effect.fn("KeyRing.revoke")(function*(credentialId, of) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return change(
          credentialId,
          of,
          (credential) =>
            credential.status === "revoked" ? credential : { ...credential, status: "revoked", revokedAt: now }
        )
      }),
      update: Effect.fn("KeyRing.update")((credentialId, given, of) =>
        Effect.sync(() => change(credentialId, of, (credential) => ({ ...credential, ...given })))
      ),
      requests: Effect.fn("KeyRing.requests")((orgId, now) =>
        Effect.sync(() => {
          const windows = ofOrganization(orgId).flatMap(({ credentialId }) => {
            const window = state.windows.get(credentialId)
            return window === undefined ? [] : [[credentialId, window] as const]
          })
          return {
            lastUsedAt: new Map(windows.map(([id, { startedAt }]) => [id, startedAt])),
            minutes: new Map(
              windows.filter(([, window]) => runs(window, now)).map(([id, { count, startedAt }]) => [
                id,
                { used: count, resetsAt: startedAt + windowMillis }
              ])
            ),
            today: state.days.get(`${orgId} ${nextMidnight(now) - 86_400_000}`) ?? 0
          }
        })
      )
    })
  })
)
