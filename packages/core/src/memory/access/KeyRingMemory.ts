/** `KeyRing` in memory. */
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { CredentialLimitReached } from "../../access/AccessRefusals.ts"
import {
  type Credential,
  endedKeysKept,
  endedKeysKeptFor,
  KeyRing,
  maximumActiveKeys,
  SecretInUse
} from "../../access/KeyRing.ts"
import { nextMidnight } from "../../operation/UtcTime.ts"
import { type RateWindow, runs, windowMillis } from "../../rate/RateWindow.ts"
import { MemoryState } from "../MemoryState.ts"
import { countRequest } from "./RequestCounting.ts"

/** `KeyRing` in memory. */
export const layer: Layer.Layer<KeyRing, never, MemoryState> = Layer.effect(
  KeyRing,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const ofOrganization = (orgId: string) =>
      [...state.credentials.values()].filter((credential) => credential.orgId === orgId)

    /** As it stands at a moment. */
    const standing = (credential: Credential, now: Date): Credential => ({
      ...credential,
      status: credential.revokedAt !== null
        ? "revoked"
        : credential.expiresAt !== null && credential.expiresAt <= now
        ? "expired"
        : "active",
      previousUntil: credential.previousUntil !== null && credential.previousUntil > now
        ? credential.previousUntil
        : null
    })
    const isFull = (orgId: string, now: Date): boolean =>
      ofOrganization(orgId).filter((credential) => standing(credential, now).status === "active").length
        >= maximumActiveKeys
    /** The running window with most requests of the keys that work no more. */
    const minuteOfEnded = (orgId: string, now: Date): RateWindow | undefined =>
      ofOrganization(orgId).flatMap((credential) => {
        const window = state.windows.get(credential.credentialId)
        const isOver = standing(credential, now).status !== "active"
        return isOver && window !== undefined && runs(window, now.getTime()) ? [window] : []
      }).toSorted((one, other) => other.count - one.count)[0]
    const forgetEnded = (orgId: string, now: Date): void => {
      const endOf = ({ expiresAt, revokedAt }: Credential) =>
        Math.min(expiresAt?.getTime() ?? Infinity, revokedAt?.getTime() ?? Infinity)
      const ended = ofOrganization(orgId).filter((credential) => standing(credential, now).status !== "active")
        .toSorted((one, other) => endOf(other) - endOf(one))
      const before = now.getTime() - Duration.toMillis(endedKeysKeptFor)
      const over = new Set(ended.slice(endedKeysKept).filter((credential) => endOf(credential) <= before))
      for (const [hash, credential] of state.credentials) if (over.has(credential)) state.credentials.delete(hash)
    }
    const shownAll = (credentials: ReadonlyArray<Credential>) =>
      Effect.map(DateTime.now, (now) => credentials.map((each) => standing(each, DateTime.toDateUtc(now))))
    const shown = (credential: Option.Option<Credential>) =>
      Effect.map(DateTime.now, (now) => Option.map(credential, (each) => standing(each, DateTime.toDateUtc(now))))

    /** The key of that secret, present or before the last rotation and still in force. */
    const keyOf = (secretHash: string, now: number): Credential | undefined => {
      const present = state.credentials.get(secretHash)
      if (present !== undefined) return present
      const rotated = state.credentials.get(state.previousSecrets.get(secretHash) ?? "")
      const until = rotated?.previousUntil ?? null
      return until !== null && until.getTime() > now ? rotated : undefined
    }

    const named = (credentialId: string, of: string | undefined) =>
      Option.fromUndefinedOr(
        [...state.credentials].find(([, credential]) =>
          credential.credentialId === credentialId.toLowerCase() && (of === undefined || credential.orgId === of)
        )
      )
    const change = (credentialId: string, of: string | undefined, f: (credential: Credential) => Credential) =>
      Option.map(named(credentialId, of), ([hash, credential]) => {
        const changed = f(credential)
        state.credentials.set(hash, changed)
        return changed
      })

    return KeyRing.of({
      authorize: Effect.fn("KeyRing.authorize")((secretHash, now) =>
        Effect.sync(() => {
          const credential = keyOf(secretHash, now)
          const organization = credential === undefined ? undefined : state.organizations.get(credential.orgId)
          if (credential === undefined || organization === undefined) return Option.none()
          const { expiresAt, previousUntil: _previous, revokedAt, status: _status, ...live } = credential
          if (revokedAt !== null || expiresAt !== null && expiresAt.getTime() <= now) return Option.none()
          return Option.some({
            credential: live,
            organization,
            ...countRequest(state, organization, credential.credentialId, now)
          })
        })
      ),
      create: Effect.fn("KeyRing.create")(function*({ secretHash, ...given }) {
        const createdAt = DateTime.toDateUtc(yield* DateTime.now)
        if (state.credentials.has(secretHash) || state.previousSecrets.has(secretHash)) return yield* new SecretInUse()
        if (isFull(given.orgId, createdAt)) {
          return yield* new CredentialLimitReached({ org_id: given.orgId, limit: maximumActiveKeys })
        }
        forgetEnded(given.orgId, createdAt)
        const { expiresAt = null, ...facts } = given
        const credential: Credential = {
          ...facts,
          status: "active",
          createdAt,
          revokedAt: null,
          expiresAt: expiresAt === null ? null : DateTime.toDateUtc(DateTime.makeUnsafe(expiresAt)),
          previousUntil: null
        }
        state.credentials.set(secretHash, credential)
        const minute = minuteOfEnded(given.orgId, createdAt)
        if (minute !== undefined) state.windows.set(given.credentialId, minute)
        return credential
      }),
      list: Effect.fn("KeyRing.list")((orgId) => shownAll(ofOrganization(orgId))),
      revoke: Effect.fn("KeyRing.revoke")(function*(credentialId, of) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return change(
          credentialId,
          of,
          (credential) => credential.revokedAt === null ? { ...credential, revokedAt: now } : credential
        ).pipe(Option.map((credential) => standing(credential, now)))
      }),
      update: Effect.fn("KeyRing.update")((credentialId, given, of) =>
        shown(change(credentialId, of, (credential) => ({ ...credential, ...given })))
      ),
      expire: Effect.fn("KeyRing.expire")(function*(credentialId, at, of) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const expiresAt = at === null ? null : DateTime.toDateUtc(DateTime.makeUnsafe(at))
        const found = named(credentialId, of)
        if (Option.isNone(found)) return Option.none()
        const [hash, before] = found.value
        const after = standing({ ...before, expiresAt }, now)
        const worksAgain = standing(before, now).status !== "active" && after.status === "active"
        if (worksAgain && isFull(before.orgId, now)) {
          return yield* new CredentialLimitReached({ org_id: before.orgId, limit: maximumActiveKeys })
        }
        state.credentials.set(hash, { ...before, expiresAt })
        return Option.some(after)
      }),
      rotate: Effect.fn("KeyRing.rotate")(function*(credentialId, { label, secretHash, until }, of) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        for (const [hash, credential] of state.credentials) {
          const isNamed = credential.credentialId === credentialId.toLowerCase()
          if (!isNamed || of !== undefined && credential.orgId !== of) continue
          if (standing(credential, now).status !== "active") return Option.none()
          const previousUntil = DateTime.toDateUtc(DateTime.makeUnsafe(until))
          const rotated = { ...credential, label, previousUntil }
          for (const [before, present] of state.previousSecrets) {
            if (present === hash) state.previousSecrets.delete(before)
          }
          state.previousSecrets.set(hash, secretHash)
          state.credentials.delete(hash)
          state.credentials.set(secretHash, rotated)
          return Option.some(standing(rotated, now))
        }
        return Option.none()
      }),
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
