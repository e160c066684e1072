/** `Sessions` in memory. */
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import {
  idleTime,
  linkLifetime,
  maximumSessions,
  type NewSession,
  type Session,
  sessionLifetime,
  Sessions
} from "../../access/Sessions.ts"
import type { Organization } from "../../organization/Organization.ts"
import type { Member } from "../../organization/Organizations.ts"
import { MemoryState, type State, type StoredIdentity, type StoredSession } from "../MemoryState.ts"
import { membershipsOf, recognize } from "./Memberships.ts"

const compare = (one: string, other: string): number => one < other ? -1 : one > other ? 1 : 0

const date = (millis: number): Date => DateTime.toDateUtc(DateTime.makeUnsafe(millis))

const endOf = ({ lastUsedAt, signedInAt }: StoredSession): number =>
  Math.min(signedInAt + Duration.toMillis(sessionLifetime), lastUsedAt + Duration.toMillis(idleTime))

const view = (stored: StoredSession): Session => ({
  sessionId: stored.sessionId,
  orgId: stored.orgId,
  memberId: stored.memberId,
  signedInAt: date(stored.signedInAt),
  lastUsedAt: date(stored.lastUsedAt),
  expiresAt: date(endOf(stored)),
  userAgent: stored.userAgent
})

interface Person {
  readonly member: Member
  readonly organization: Organization
}

const activeMember = (state: State, orgId: string, memberId: string): Option.Option<Person> => {
  const organization = state.organizations.get(orgId)
  const member = state.members.get(orgId)?.find((each) => each.memberId === memberId)
  return organization === undefined || member?.status !== "active"
    ? Option.none()
    : Option.some({ member, organization })
}

const ofMember = (state: State, orgId: string, memberId: string): ReadonlyArray<[string, StoredSession]> =>
  [...state.sessions].filter(([, session]) => session.orgId === orgId && session.memberId === memberId)

/** Ends what is over, and of more than there may be the one that was unused longest. */
const makeRoom = (state: State, orgId: string, memberId: string, now: number): void => {
  for (const [hash, session] of ofMember(state, orgId, memberId)) {
    if (endOf(session) <= now) state.sessions.delete(hash)
  }
  const live = ofMember(state, orgId, memberId).toSorted(([, one], [, other]) => other.lastUsedAt - one.lastUsedAt)
  for (const [hash] of live.slice(maximumSessions - 1)) state.sessions.delete(hash)
}

const open = (
  state: State,
  orgId: string,
  memberId: string,
  given: NewSession,
  opened: Pick<StoredSession, "signedInAt" | "identity" | "signOutHint">
): StoredSession => {
  makeRoom(state, orgId, memberId, given.now)
  const session: StoredSession = {
    sessionId: given.sessionId,
    orgId,
    memberId,
    lastUsedAt: given.now,
    userAgent: given.userAgent,
    signedInAt: opened.signedInAt,
    identity: opened.identity,
    signOutHint: opened.signOutHint
  }
  state.sessions.set(given.secretHash, session)
  return session
}

const minute = 60_000

/** The stored session of an id, and the hash of its secret. */
const sessionOf = (state: State, orgId: string, sessionId: string) =>
  [...state.sessions].find(([, each]) => each.orgId === orgId && each.sessionId === sessionId)

/** Where the person is an active member, in the order in which they joined. */
const placesOf = (state: State, identity: StoredIdentity) =>
  membershipsOf(state).flatMap(({ identity: known, member, orgId }) => {
    const organization = state.organizations.get(orgId)
    return organization !== undefined && known?.issuer === identity.issuer && known.subject === identity.subject
      ? [{ member, organization }]
      : []
  })

/** `Sessions` over the state in memory. */
export const layer: Layer.Layer<Sessions, never, MemoryState> = Layer.effect(
  Sessions,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const linkOf = (secretHash: string, now: number) => {
      const link = [...state.signInLinks].find(([, each]) => each.secretHash === secretHash && now < each.expiresAt)
      if (link === undefined) return Option.none()
      const [key, { memberId, orgId }] = link
      return Option.map(activeMember(state, orgId, memberId), (person) => ({ key, person, orgId, memberId }))
    }

    return Sessions.of({
      issueLink: Effect.fn("Sessions.issueLink")(({ memberId, now, orgId, secretHash }) =>
        Effect.sync(() => {
          if (Option.isNone(activeMember(state, orgId, memberId))) return false
          const expiresAt = now + Duration.toMillis(linkLifetime)
          state.signInLinks.set(`${orgId} ${memberId}`, { orgId, memberId, secretHash, expiresAt })
          return true
        })
      ),
      lookAtLink: Effect.fn("Sessions.lookAtLink")((secretHash, now) =>
        Effect.sync(() => Option.map(linkOf(secretHash, now), ({ person }) => person))
      ),
      redeem: Effect.fn("Sessions.redeem")((linkHash, given) =>
        Effect.sync(() =>
          Option.map(linkOf(linkHash, given.now), ({ key, memberId, orgId, person }) => {
            state.signInLinks.delete(key)
            const opened = { signedInAt: given.now, identity: null, signOutHint: null }
            return { ...person, session: view(open(state, orgId, memberId, given, opened)) }
          })
        )
      ),
      enter: Effect.fn("Sessions.enter")(({ email, issuer, orgId, signOutHint, subject }, given) =>
        Effect.sync(() => {
          recognize(state, { issuer, subject, email })
          const places = placesOf(state, { issuer, subject })
            .filter(({ organization }) => orgId === null || organization.org_id === orgId)
          const place = places.find(({ organization }) => organization.status === "active") ?? places[0]
          if (place === undefined) return Option.none()
          const { member, organization } = place
          const session = open(state, organization.org_id, member.memberId, given, {
            signedInAt: given.now,
            identity: orgId === null ? { issuer, subject } : null,
            signOutHint
          })
          return Option.some({ ...place, session: view(session) })
        })
      ),
      memberships: Effect.fn("Sessions.memberships")((orgId, sessionId) =>
        Effect.sync(() => {
          const session = sessionOf(state, orgId, sessionId)?.[1]
          if (session === undefined) return []
          const places = session.identity === null
            ? Option.toArray(activeMember(state, orgId, session.memberId))
            : placesOf(state, session.identity)
          return places
            .map(({ organization }) => organization)
            .toSorted((one, other) => compare(one.name, other.name) || compare(one.org_id, other.org_id))
        })
      ),
      change: Effect.fn("Sessions.change")((from, to, given) =>
        Effect.sync(() => {
          const [hash, session] = sessionOf(state, from.orgId, from.sessionId) ?? []
          if (hash === undefined || session === undefined || session.identity === null || from.orgId === to) {
            return Option.none()
          }
          const place = placesOf(state, session.identity).find(({ organization }) => organization.org_id === to)
          if (place?.organization.status !== "active") return Option.none()
          state.sessions.delete(hash)
          const changed = { ...given, userAgent: session.userAgent }
          return Option.some({ ...place, session: view(open(state, to, place.member.memberId, changed, session)) })
        })
      ),
      signOutHint: Effect.fn("Sessions.signOutHint")((orgId, sessionId) =>
        Effect.sync(() => Option.fromNullishOr(sessionOf(state, orgId, sessionId)?.[1].signOutHint))
      ),
      authorize: Effect.fn("Sessions.authorize")((secretHash, now) =>
        Effect.sync(() => {
          const session = state.sessions.get(secretHash)
          if (session === undefined || endOf(session) <= now) return Option.none()
          return Option.map(activeMember(state, session.orgId, session.memberId), (person) => {
            const used = now - session.lastUsedAt >= minute ? { ...session, lastUsedAt: now } : session
            state.sessions.set(secretHash, used)
            return { ...person, session: view(used) }
          })
        })
      ),
      list: Effect.fn("Sessions.list")((orgId, memberId, now) =>
        Effect.sync(() =>
          ofMember(state, orgId, memberId)
            .map(([, session]) => session)
            .filter((session) => endOf(session) > now)
            .toSorted((one, other) => other.lastUsedAt - one.lastUsedAt || other.signedInAt - one.signedInAt)
            .map(view)
        )
      ),
      revoke: Effect.fn("Sessions.revoke")(({ keptSessionId, memberId, orgId, sessionId }) =>
        Effect.sync(() => {
          const meant = ofMember(state, orgId, memberId).filter(([, session]) =>
            (sessionId === null || session.sessionId === sessionId) && session.sessionId !== keptSessionId
          )
          for (const [hash] of meant) state.sessions.delete(hash)
          return meant.length
        })
      )
    })
  })
)
