/** `Connections` in memory. */
import { DateTime, Effect, Layer } from "effect"
import { type Connection, type ConnectionRequest, Connections, maximumConnections } from "../../access/Connections.ts"
import type { Organization } from "../../organization/Organization.ts"
import { type Counted, type RateWindow, runs, windowMillis } from "../../rate/RateWindow.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { type Membership, membershipsOf, recognize } from "./Memberships.ts"
import { countRequest, perMinute } from "./RequestCounting.ts"

/** The member that the request means, if the subject is stored. */
const known = (state: State, { issuer, orgId, subject }: ConnectionRequest): Membership | undefined =>
  membershipsOf(state).find((each) =>
    each.identity?.issuer === issuer && each.identity.subject === subject && (orgId === null || each.orgId === orgId)
  )

const ofMember = (state: State, { member }: Membership): ReadonlyArray<Connection> =>
  [...state.connections.values()].filter(({ memberId }) => memberId === member.memberId)

/** The window of a connection that runs at `now`. */
const runningWindow = (state: State, { connectionId }: Connection, now: number): RateWindow | undefined => {
  const window = state.windows.get(connectionId)
  return window !== undefined && runs(window, now) ? window : undefined
}

/** What refuses a window to one more connection of the member; undefined: nothing. */
const crowdedBy = (
  state: State,
  membership: Membership,
  organization: Organization,
  { clientId, now }: ConnectionRequest
): Counted | undefined => {
  const running = ofMember(state, membership).flatMap((connection) => {
    const window = runningWindow(state, connection, now)
    return window === undefined ? [] : [{ clientId: connection.clientId, startedAt: window.startedAt }]
  })
  if (running.length < maximumConnections || running.some((each) => each.clientId === clientId)) return undefined
  const limit = perMinute(organization)
  const first = Math.min(...running.map(({ startedAt }) => startedAt))
  return { admitted: false, limit, used: limit, resetsAt: first + windowMillis }
}

/** The live connection of the member that was unused longest, if there are as many as there may be. */
const unusedLongest = (state: State, membership: Membership, now: number): Connection | undefined => {
  const live = ofMember(state, membership).filter(({ revokedAt }) => revokedAt === null)
  if (live.length < maximumConnections) return undefined
  const usedAt = ({ connectionId }: Connection): number => state.windows.get(connectionId)?.startedAt ?? -Infinity
  const idle = live.filter((connection) => runningWindow(state, connection, now) === undefined)
  return idle.toSorted((one, other) => usedAt(one) - usedAt(other))[0]
}

/** `Connections` in memory. */
export const layer: Layer.Layer<Connections, never, MemoryState> = Layer.effect(
  Connections,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const found = (request: ConnectionRequest): Membership | undefined => {
      const member = known(state, request)
      if (member !== undefined || request.email === null) return member
      recognize(state, request)
      return known(state, request)
    }

    const connectionOf = (request: ConnectionRequest, membership: Membership): Connection => {
      const { memberId } = membership.member
      const before = state.connections.get(`${memberId} ${request.clientId}`)
      if (before !== undefined) return before
      const replaced = unusedLongest(state, membership, request.now)
      if (replaced !== undefined) state.connections.delete(`${memberId} ${replaced.clientId}`)
      const connection: Connection = {
        connectionId: replaced?.connectionId ?? request.connectionId,
        orgId: membership.orgId,
        memberId,
        clientId: request.clientId,
        firstSeen: DateTime.toDateUtc(DateTime.makeUnsafe(request.now)),
        revokedAt: null
      }
      state.connections.set(`${memberId} ${request.clientId}`, connection)
      return connection
    }

    return Connections.of({
      authorize: Effect.fn("Connections.authorize")((request) =>
        Effect.sync(() => {
          const membership = found(request)
          const organization = membership === undefined ? undefined : state.organizations.get(membership.orgId)
          if (membership === undefined || organization === undefined) return { _tag: "NotAMember" }
          const { member } = membership
          const before = state.connections.get(`${member.memberId} ${request.clientId}`)
          if (before !== undefined && before.revokedAt !== null) return { _tag: "Revoked" }
          if (organization.member_connect === "admins" && member.role !== "admin") {
            return { _tag: "Disabled", organization }
          }
          const minute = crowdedBy(state, membership, organization, request)
          if (minute !== undefined) return { _tag: "Crowded", minute }
          const connection = connectionOf(request, membership)
          return {
            _tag: "Connected",
            connection,
            member,
            organization,
            ...countRequest(state, organization, connection.connectionId, request.now)
          }
        })
      ),
      list: Effect.fn("Connections.list")((orgId) =>
        Effect.sync(() => [...state.connections.values()].filter((connection) => connection.orgId === orgId))
      ),
      setRevoked: Effect.fn("Connections.setRevoked")(function*({ clientId, memberId, orgId, revoked }) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return [...state.connections].flatMap(([key, connection]) => {
          const meant = connection.orgId === orgId && connection.memberId === memberId
            && (clientId === null || connection.clientId === clientId)
            && (connection.revokedAt === null) === revoked
          if (!meant) return []
          const after = { ...connection, revokedAt: revoked ? now : null }
          state.connections.set(key, after)
          return [after]
        })
      })
    })
  })
)
