/**
 * An organization's admins let people in, change what they may, and sign them out.
 *
 * There is always an active admin with a seat: the last one can be neither removed nor made anything less, since nobody
 * of the organization could undo it.
 */
import { Clock, DateTime, Duration, Effect, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { AppSignIn } from "../access/AppSignIn.ts"
import { Caller } from "../access/Caller.ts"
import { Connections } from "../access/Connections.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { linkLifetime, Sessions } from "../access/Sessions.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { LedgerReport } from "../credit/LedgerReport.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import * as Administration from "./Administration.ts"
import type {
  AddMember,
  ChangeMember,
  IssueSignInLink,
  ListMembers,
  ListMemberSessions,
  RemoveMember,
  RevokeMemberSessions,
  SetMemberConnections
} from "./MemberOperations.ts"

const linkMinutes = Duration.toMinutes(linkLifetime)

/** People of one organization, removed ones included. */
const maximumMembers = 1000

const settingsOf = (member: Member) => ({
  name: member.name,
  role: member.role,
  seat: member.seat,
  status: member.status,
  territory: member.territory,
  monthly_credit_limit: member.monthlyCreditLimit
})

const subjectOf = (member: Member) => ({ id: member.memberId, name: member.email })

const isInCharge = ({ role, seat, status }: Member): boolean => role === "admin" && seat && status === "active"

const monthEnd = (now: number): string =>
  DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(monthStart(now)), { months: 1 }))

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const connections = yield* Connections
  const sessions = yield* Sessions
  const report = yield* LedgerReport
  const signIn = yield* AppSignIn
  const random = yield* SecureRandom.SecureRandom
  const { change, end } = yield* Administration.make

  /** The member of the organization; one of another organization is none. */
  const own = Effect.fnUntraced(function*(id: string, orgId: string) {
    const members = yield* organizations.members(orgId)
    const found = members.find(({ memberId }) => memberId === id.toLowerCase())
    return found === undefined ? yield* new NotFound({ resource: "member" }) : { member: found, members }
  })

  const save = Effect.fnUntraced(function*(
    orgId: string,
    members: ReadonlyArray<Member>,
    before: Member | null,
    after: Member
  ) {
    const others = members.filter(({ memberId }) => memberId !== after.memberId)
    if (before !== null && isInCharge(before) && ![...others, after].some(isInCharge)) {
      return yield* invalid("role", "The last admin with a seat must stay one; make somebody else an admin first")
    }
    yield* organizations.saveMember(orgId, after)
  })

  const list: HandlerOf<typeof ListMembers> = Effect.fn("MemberDesk.list")(function*() {
    const { organization: { org_id: orgId } } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const [members, assistants, { actors }] = yield* Effect.all([
      organizations.members(orgId),
      connections.list(orgId),
      report.spending(orgId, { since: monthStart(now), until: now + 1 })
    ])
    return {
      members: members.map((member) => ({
        member_id: member.memberId,
        email: member.email,
        ...settingsOf(member),
        spent_this_month: actors.find(({ id, kind }) => kind === "member" && id === member.memberId)?.credits ?? 0,
        connections: assistants.filter(({ memberId }) => memberId === member.memberId).map((connection) => ({
          connection_id: connection.connectionId,
          client_id: connection.clientId,
          first_seen: connection.firstSeen.toISOString(),
          revoked_at: connection.revokedAt?.toISOString() ?? null
        }))
      })),
      month_ends_at: monthEnd(now)
    }
  })

  const add: HandlerOf<typeof AddMember> = Effect.fn("MemberDesk.add")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const members = yield* organizations.members(orgId)
      const before = members.find(({ email }) => email.toLowerCase() === input.email.toLowerCase()) ?? null
      if (before?.status === "active") return yield* invalid("email", "Somebody of this address is a member already")
      if (before === null && members.length >= maximumMembers) {
        return yield* invalid(null, `An organization has at most ${maximumMembers} members, removed ones included`)
      }
      const after: Member = {
        memberId: before?.memberId ?? (yield* Effect.orDie(random.uuidV4())),
        email: input.email,
        name: input.name,
        role: input.role,
        seat: input.seat,
        status: "active",
        territory: input.territory,
        monthlyCreditLimit: input.monthly_credit_limit
      }
      yield* save(orgId, members, before, after)
      return [{ member_id: after.memberId }, {
        action: "member.added",
        subject: subjectOf(after),
        before: null,
        after: settingsOf(after)
      }]
    }))
  )

  const update: HandlerOf<typeof ChangeMember> = Effect.fn("MemberDesk.update")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { member: before, members } = yield* own(input.member_id, orgId)
      if (before.status === "removed") {
        return yield* invalid("member_id", "This member was removed; add them again by their address")
      }
      const after: Member = {
        ...before,
        name: input.name ?? before.name,
        role: input.role ?? before.role,
        seat: input.seat ?? before.seat,
        territory: input.territory === undefined ? before.territory : input.territory,
        monthlyCreditLimit: input.monthly_credit_limit === undefined
          ? before.monthlyCreditLimit
          : input.monthly_credit_limit
      }
      yield* save(orgId, members, before, after)
      const difference = Administration.differenceOf(settingsOf(before), settingsOf(after))
      return [
        { member_id: after.memberId },
        difference === null ? null : { action: "member.changed", subject: subjectOf(after), ...difference }
      ]
    }))
  )

  const remove: HandlerOf<typeof RemoveMember> = Effect.fn("MemberDesk.remove")((input) =>
    end(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { member: before, members } = yield* own(input.member_id, orgId)
      yield* save(orgId, members, before, { ...before, status: "removed" })
      return [
        { member_id: before.memberId },
        before.status === "removed" ? null : {
          action: "member.removed",
          subject: subjectOf(before),
          before: settingsOf(before),
          after: null
        }
      ]
    }))
  )

  const issueLink: HandlerOf<typeof IssueSignInLink> = Effect.fn("MemberDesk.issueLink")((input) =>
    change(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { member } = yield* own(input.member_id, orgId)
      const secret = yield* signIn.issueLink(orgId, member.memberId)
      if (Option.isNone(secret)) return yield* invalid("member_id", "This member was removed")
      return [
        { secret: Redacted.value(secret.value), minutes: linkMinutes },
        { action: "member.link_issued", subject: subjectOf(member), before: null, after: null }
      ]
    }))
  )

  const listSessions: HandlerOf<typeof ListMemberSessions> = Effect.fn("MemberDesk.listSessions")(function*(input) {
    const { organization: { org_id: orgId } } = yield* Caller
    const { member: { memberId } } = yield* own(input.member_id, orgId)
    const live = yield* sessions.list(orgId, memberId, yield* Clock.currentTimeMillis)
    return {
      sessions: live.map((session) => ({
        session_id: session.sessionId,
        signed_in_at: session.signedInAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        user_agent: session.userAgent
      }))
    }
  })

  const revokeSessions: HandlerOf<typeof RevokeMemberSessions> = Effect.fn("MemberDesk.revokeSessions")((input) =>
    end(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { member } = yield* own(input.member_id, orgId)
      const sessionId = input.session_id?.toLowerCase() ?? null
      const ended = yield* sessions.revoke({ orgId, memberId: member.memberId, sessionId })
      return [
        { ended },
        ended === 0 ? null : {
          action: "member.sessions_revoked",
          subject: subjectOf(member),
          before: { sessions: ended },
          after: null
        }
      ]
    }))
  )

  const setConnections: HandlerOf<typeof SetMemberConnections> = Effect.fn("MemberDesk.setConnections")((input) =>
    (input.revoked ? end : change)(Effect.fnUntraced(function*({ org_id: orgId }) {
      const { member } = yield* own(input.member_id, orgId)
      const changed = yield* connections.setRevoked({
        orgId,
        memberId: member.memberId,
        clientId: input.client_id,
        revoked: input.revoked
      })
      return [
        { changed: changed.length },
        changed.length === 0 ? null : {
          action: input.revoked ? "member.connections_revoked" : "member.connections_cleared",
          subject: subjectOf(member),
          before: null,
          after: { clients: changed.map(({ clientId }) => clientId) }
        }
      ]
    }))
  )

  return { list, add, update, remove, issueLink, listSessions, revokeSessions, setConnections }
})
