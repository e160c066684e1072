/**
 * What every `OperatorSessions` must do. Adapters call `operatorSessionsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { DateTime, Duration, Effect, type Layer, Option } from "effect"
import {
  maximumOperatorSessions,
  operatorIdleTime,
  operatorSessionLifetime,
  OperatorSessions,
  viewLifetime
} from "../access/OperatorSessions.ts"
import { linkLifetime, Sessions } from "../access/Sessions.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { member } from "./Seed.ts"

const start = Date.UTC(2026, 2, 30, 12)
const minute = 60_000

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`
const hash = () => (++made).toString(16).padStart(64, "6")

const newSession = (now = start) => ({ sessionId: uuid(), secretHash: hash(), userAgent: "Browser/1", now })

/** A link of a new name, at `now`. */
const linked = Effect.fnUntraced(function*(now = start, name = `Sample ${++made}`) {
  const secretHash = hash()
  yield* OperatorSessions.use((sessions) => sessions.issueLink({ name, secretHash, now }))
  return { name, secretHash }
})

const signedIn = Effect.fnUntraced(function*(now = start) {
  const { name, secretHash } = yield* linked(now)
  const session = newSession(now)
  const sessions = yield* OperatorSessions
  assert.isTrue(Option.isSome(yield* sessions.redeem(secretHash, session)))
  return { ...session, name }
})

const isSignedIn = (secretHash: string, now: number) =>
  Effect.map(OperatorSessions.use((sessions) => sessions.authorize(secretHash, now)), Option.isSome)

const joined = Effect.fnUntraced(function*() {
  const organizations = yield* Organizations
  const organization = defaults(`org_operator_${++made}`)
  yield* organizations.save(organization)
  const ana = member({ memberId: uuid(), email: `ana-${made}@people.example` })
  yield* organizations.saveMember(organization.org_id, ana)
  return { ana, organization, orgId: organization.org_id, memberId: ana.memberId }
})

/** The suite for an adapter of `OperatorSessions`, alone in its store. */
export const operatorSessionsContract = <E>(
  name: string,
  adapters: Layer.Layer<OperatorSessions | Sessions | Organizations, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`OperatorSessions ${name}`, (it) => {
    it.effect("a link signs in once, shows before whom it would, and ends with its time or a newer one", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        const { name, secretHash } = yield* linked()
        assert.deepStrictEqual(yield* sessions.lookAtLink(secretHash, start), Option.some(name))
        const session = newSession()
        const opened = Option.getOrThrow(yield* sessions.redeem(secretHash, session))
        assert.deepInclude(opened, { sessionId: session.sessionId, name, userAgent: "Browser/1" })
        assert.strictEqual(opened.expiresAt.getTime(), start + Duration.toMillis(operatorIdleTime))
        assert.deepStrictEqual(yield* sessions.authorize(session.secretHash, start), Option.some(opened))
        assert.isTrue(Option.isNone(yield* sessions.redeem(secretHash, newSession())))
        assert.isTrue(Option.isNone(yield* sessions.lookAtLink(secretHash, start)))

        const old = yield* linked()
        const over = start + Duration.toMillis(linkLifetime)
        assert.isTrue(Option.isNone(yield* sessions.redeem(old.secretHash, newSession(over))))
        const newer = yield* linked(start, old.name)
        assert.isTrue(Option.isNone(yield* sessions.redeem(old.secretHash, newSession())))
        assert.isTrue(Option.isSome(yield* sessions.redeem(newer.secretHash, newSession())))
      }))

    it.effect("of two who use a link at once, one is signed in", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        const { secretHash } = yield* linked()
        const outcomes = yield* Effect.all([1, 2, 3].map(() => sessions.redeem(secretHash, newSession())), {
          concurrency: "unbounded"
        })
        assert.lengthOf(outcomes.filter(Option.isSome), 1)
      }))

    it.effect("a session ends idle, and with its time however much it is used", () =>
      Effect.gen(function*() {
        const idle = Duration.toMillis(operatorIdleTime)
        const unused = yield* signedIn()
        assert.isFalse(yield* isSignedIn(unused.secretHash, start + idle))
        const used = yield* signedIn()
        const end = start + Duration.toMillis(operatorSessionLifetime)
        for (let now = start; now < end; now += idle - minute) assert.isTrue(yield* isSignedIn(used.secretHash, now))
        assert.isFalse(yield* isSignedIn(used.secretHash, end))
      }))

    it.effect("is none of a member's, and a member's is none of the operator's", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        const ofMembers = yield* Sessions
        const { memberId, orgId } = yield* joined()
        const { secretHash } = yield* signedIn()
        assert.isTrue(Option.isNone(yield* ofMembers.authorize(secretHash, start)))
        const link = hash()
        assert.isTrue(yield* ofMembers.issueLink({ orgId, memberId, secretHash: link, now: start }))
        assert.isTrue(Option.isNone(yield* sessions.redeem(link, newSession())))
        const theirs = newSession()
        assert.isTrue(Option.isSome(yield* ofMembers.redeem(link, theirs)))
        assert.isTrue(Option.isNone(yield* sessions.authorize(theirs.secretHash, start)))
        assert.isTrue(Option.isNone(yield* sessions.view(theirs.secretHash, start)))
        assert.isTrue(Option.isNone(yield* sessions.view(secretHash, start)))
      }))

    it.effect("is one of at most so many: one more ends the one unused longest", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        yield* sessions.revoke(null)
        const opened = []
        for (let index = 0; index <= maximumOperatorSessions; index++) opened.push(yield* signedIn(start + index))
        const now = start + maximumOperatorSessions
        const left = (yield* sessions.list(now)).map(({ sessionId }) => sessionId)
        assert.deepStrictEqual(left, opened.slice(1).toReversed().map(({ sessionId }) => sessionId))
      }))

    it.effect("is revoked alone, or with all others and every link", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        yield* sessions.revoke(null)
        const one = yield* signedIn()
        const other = yield* signedIn()
        assert.strictEqual(yield* sessions.revoke(one.sessionId), 1)
        assert.strictEqual(yield* sessions.revoke(one.sessionId), 0)
        assert.isFalse(yield* isSignedIn(one.secretHash, start))
        assert.isTrue(yield* isSignedIn(other.secretHash, start))
        const { secretHash } = yield* linked()
        assert.isAtLeast(yield* sessions.revoke(null), 1)
        assert.isFalse(yield* isSignedIn(other.secretHash, start))
        assert.isTrue(Option.isNone(yield* sessions.redeem(secretHash, newSession())))
      }))

    it.effect("sees as one member at a time, until the view's time, its own end, or the member's", () =>
      Effect.gen(function*() {
        const sessions = yield* OperatorSessions
        const organizations = yield* Organizations
        const { ana, memberId, organization, orgId } = yield* joined()
        const session = yield* signedIn()
        const look = Effect.fnUntraced(function*(sessionId = session.sessionId, of = orgId) {
          const secretHash = hash()
          const opened = yield* sessions.openView({ sessionId, secretHash, orgId: of, memberId, now: start })
          return { opened, secretHash }
        })
        const isOpen = (secretHash: string, now = start) => Effect.map(sessions.view(secretHash, now), Option.isSome)
        const first = yield* look()
        assert.deepStrictEqual(Option.getOrThrow(yield* sessions.view(first.secretHash, start)), {
          sessionId: session.sessionId,
          name: session.name,
          expiresAt: DateTime.toDateUtc(DateTime.makeUnsafe(start + Duration.toMillis(viewLifetime))),
          member: ana,
          organization
        })
        assert.isFalse(yield* isOpen(first.secretHash, start + Duration.toMillis(viewLifetime)))
        const second = yield* look()
        assert.isFalse(yield* isOpen(first.secretHash))
        assert.isTrue(yield* isOpen(second.secretHash))
        yield* sessions.endView(second.secretHash)
        assert.isFalse(yield* isOpen(second.secretHash))
        assert.isFalse((yield* look(uuid())).opened)
        const foreign = yield* joined()
        assert.isFalse((yield* look(session.sessionId, foreign.orgId)).opened)
        const third = yield* look()
        yield* organizations.saveMember(orgId, { ...ana, status: "removed" })
        assert.isFalse(yield* isOpen(third.secretHash))
        assert.isFalse((yield* look()).opened)
        yield* organizations.saveMember(orgId, ana)
        const fourth = yield* look()
        assert.isTrue(yield* isOpen(fourth.secretHash))
        yield* sessions.revoke(session.sessionId)
        assert.isFalse(yield* isOpen(fourth.secretHash))
      }))
  })
