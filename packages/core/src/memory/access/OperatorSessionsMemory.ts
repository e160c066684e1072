/** `OperatorSessions` in memory. */
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import {
  maximumOperatorSessions,
  operatorIdleTime,
  type OperatorSession,
  operatorSessionLifetime,
  OperatorSessions,
  viewLifetime
} from "../../access/OperatorSessions.ts"
import { linkLifetime } from "../../access/Sessions.ts"
import { MemoryState, type StoredOperatorSession } from "../MemoryState.ts"

const minute = 60_000

const date = (millis: number): Date => DateTime.toDateUtc(DateTime.makeUnsafe(millis))

const endOf = ({ lastUsedAt, signedInAt }: StoredOperatorSession): number =>
  Math.min(
    signedInAt + Duration.toMillis(operatorSessionLifetime),
    lastUsedAt + Duration.toMillis(operatorIdleTime)
  )

const shown = (stored: StoredOperatorSession): OperatorSession => ({
  sessionId: stored.sessionId,
  name: stored.name,
  signedInAt: date(stored.signedInAt),
  lastUsedAt: date(stored.lastUsedAt),
  expiresAt: date(endOf(stored)),
  userAgent: stored.userAgent
})

const lastUsedFirst = (one: StoredOperatorSession, other: StoredOperatorSession): number =>
  other.lastUsedAt - one.lastUsedAt || other.signedInAt - one.signedInAt

/** `OperatorSessions` over the state in memory. */
export const layer: Layer.Layer<OperatorSessions, never, MemoryState> = Layer.effect(
  OperatorSessions,
  Effect.gen(function*() {
    const { members, operatorLinks: links, operatorSessions: sessions, operatorViews: views, organizations } =
      yield* MemoryState

    const live = (now: number) => [...sessions.values()].filter((session) => endOf(session) > now)
    const sessionOf = (sessionId: string, now: number) => live(now).find((session) => session.sessionId === sessionId)
    const linkOf = (secretHash: string, now: number) =>
      [...links.values()].find((link) => link.secretHash === secretHash && now < link.expiresAt)
    const memberOf = (orgId: string, memberId: string) =>
      members.get(orgId)?.find((member) => member.memberId === memberId && member.status === "active")

    const end = (sessionId: string): void => {
      sessions.delete(sessionId)
      views.delete(sessionId)
    }

    return OperatorSessions.of({
      issueLink: Effect.fn("OperatorSessions.issueLink")(({ name, now, secretHash }) =>
        Effect.sync(() => {
          links.set(name, { name, secretHash, expiresAt: now + Duration.toMillis(linkLifetime) })
        })
      ),
      lookAtLink: Effect.fn("OperatorSessions.lookAtLink")((secretHash, now) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(linkOf(secretHash, now)), ({ name }) => name))
      ),
      redeem: Effect.fn("OperatorSessions.redeem")((linkHash, { now, secretHash, sessionId, userAgent }) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(linkOf(linkHash, now)), ({ name }) => {
            links.delete(name)
            const kept = live(now).toSorted(lastUsedFirst).slice(0, maximumOperatorSessions - 1)
            for (const id of sessions.keys()) if (!kept.some((session) => session.sessionId === id)) end(id)
            const opened = { sessionId, name, secretHash, signedInAt: now, lastUsedAt: now, userAgent }
            sessions.set(sessionId, opened)
            return shown(opened)
          })
        )
      ),
      authorize: Effect.fn("OperatorSessions.authorize")((secretHash, now) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(live(now).find((session) => session.secretHash === secretHash)),
            (session) => {
              const used = now - session.lastUsedAt >= minute ? { ...session, lastUsedAt: now } : session
              sessions.set(session.sessionId, used)
              return shown(used)
            }
          )
        )
      ),
      list: Effect.fn("OperatorSessions.list")((now) =>
        Effect.sync(() => live(now).toSorted(lastUsedFirst).map(shown))
      ),
      revoke: Effect.fn("OperatorSessions.revoke")((sessionId) =>
        Effect.sync(() => {
          const meant = [...sessions.keys()].filter((id) => sessionId === null || id === sessionId)
          for (const id of meant) end(id)
          if (sessionId === null) links.clear()
          return meant.length
        })
      ),
      openView: Effect.fn("OperatorSessions.openView")(({ memberId, now, orgId, secretHash, sessionId }) =>
        Effect.sync(() => {
          if (sessionOf(sessionId, now) === undefined || memberOf(orgId, memberId) === undefined) return false
          views.set(sessionId, {
            secretHash,
            orgId,
            memberId,
            expiresAt: now + Duration.toMillis(viewLifetime)
          })
          return true
        })
      ),
      view: Effect.fn("OperatorSessions.view")((secretHash, now) =>
        Effect.sync(() => {
          const [sessionId, view] = [...views].find(([, each]) =>
            each.secretHash === secretHash && now < each.expiresAt
          ) ?? []
          if (sessionId === undefined || view === undefined) return Option.none()
          const session = sessionOf(sessionId, now)
          const member = memberOf(view.orgId, view.memberId)
          const organization = organizations.get(view.orgId)
          return session === undefined || member === undefined || organization === undefined
            ? Option.none()
            : Option.some({ sessionId, name: session.name, expiresAt: date(view.expiresAt), member, organization })
        })
      ),
      endView: Effect.fn("OperatorSessions.endView")((secretHash) =>
        Effect.sync(() => {
          for (const [sessionId, view] of views) if (view.secretHash === secretHash) views.delete(sessionId)
        })
      )
    })
  })
)
