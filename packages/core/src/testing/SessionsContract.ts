/**
 * What every `Sessions` must do. Adapters call `sessionsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Duration, Effect, type Layer, Option } from "effect"
import {
  idleTime,
  type KnownPerson,
  linkLifetime,
  maximumSessions,
  sessionLifetime,
  Sessions
} from "../access/Sessions.ts"
import { defaults } from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import { member } from "./Seed.ts"

const start = Date.UTC(2026, 2, 30, 12)
const minute = 60_000

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`
const hash = () => (++made).toString(16).padStart(64, "5")

/** A new organization with one member. */
const arrange = Effect.fnUntraced(function*(given: Partial<Member> = {}) {
  const organizations = yield* Organizations
  const organization = defaults(`org_sessions_${String(++made).padStart(4, "0")}`)
  yield* organizations.save(organization)
  const joined = member({ memberId: uuid(), email: `ana-${made}@people.example`, ...given })
  yield* organizations.saveMember(organization.org_id, joined)
  return { organization, joined, orgId: organization.org_id, memberId: joined.memberId }
})

type Place = Effect.Success<ReturnType<typeof arrange>>

/** A link of the member, at `now`. */
const linked = Effect.fnUntraced(function*({ memberId, orgId }: Place, now = start) {
  const secretHash = hash()
  const sessions = yield* Sessions
  assert.isTrue(yield* sessions.issueLink({ orgId, memberId, secretHash, now }))
  return secretHash
})

const newSession = (now = start, secretHash = hash()) => ({
  sessionId: uuid(),
  secretHash,
  userAgent: "Browser/1",
  now
})

/** Signs the member in; answers the hash of the session's secret. */
const signedIn = Effect.fnUntraced(function*(place: Place, now = start) {
  const sessions = yield* Sessions
  const session = newSession(now)
  assert.isTrue(Option.isSome(yield* sessions.redeem(yield* linked(place, now), session)))
  return session
})

const isSignedIn = (secretHash: string, now: number) =>
  Effect.map(Sessions.use((sessions) => sessions.authorize(secretHash, now)), Option.isSome)

/** Somebody whom an authorization server made known. */
const person = (given: Partial<KnownPerson> = {}): KnownPerson => ({
  issuer: "https://issuer.example",
  subject: `subject-${++made}`,
  email: null,
  orgId: null,
  signOutHint: null,
  ...given
})

/** The suite for an adapter of `Sessions`. */
export const sessionsContract = <E>(name: string, adapters: Layer.Layer<Sessions | Organizations, E>): void =>
  suite(adapters, { excludeTestServices: true })(`Sessions ${name}`, (it) => {
    it.effect("a link signs its member in once, and shows before whom it would", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const place = yield* arrange({ role: "admin", territory: { county_fips: ["99001"] } })
        const link = yield* linked(place)
        const shown = Option.getOrThrow(yield* sessions.lookAtLink(link, start))
        assert.deepStrictEqual(shown, { member: place.joined, organization: place.organization })

        const session = newSession()
        const opened = Option.getOrThrow(yield* sessions.redeem(link, session))
        assert.deepStrictEqual(opened.member, place.joined)
        assert.deepStrictEqual(opened.organization, place.organization)
        assert.strictEqual(opened.session.sessionId, session.sessionId)
        assert.strictEqual(opened.session.userAgent, "Browser/1")

        assert.isTrue(Option.isNone(yield* sessions.redeem(link, newSession())))
        assert.isTrue(Option.isNone(yield* sessions.lookAtLink(link, start)))
        assert.deepStrictEqual(Option.getOrThrow(yield* sessions.authorize(session.secretHash, start)), opened)
        assert.deepStrictEqual(Option.getOrThrow(yield* sessions.authorize(session.secretHash, start)), opened)
      }))

    it.effect("of two who use a link at once, one is signed in", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const link = yield* linked(yield* arrange())
        const outcomes = yield* Effect.all(
          [1, 2, 3, 4].map(() => sessions.redeem(link, newSession())),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter(Option.isSome), 1)
      }))

    it.effect("a link ends with its time, and with a newer one", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const place = yield* arrange()
        const late = start + Duration.toMillis(linkLifetime)
        const first = yield* linked(place)
        assert.isTrue(Option.isSome(yield* sessions.lookAtLink(first, late - 1)))
        assert.isTrue(Option.isNone(yield* sessions.lookAtLink(first, late)))
        assert.isTrue(Option.isNone(yield* sessions.redeem(first, newSession(late))))
        const second = yield* linked(place)
        assert.isTrue(Option.isNone(yield* sessions.redeem(first, newSession())))
        assert.isTrue(Option.isSome(yield* sessions.redeem(second, newSession())))
      }))

    it.effect("nobody but an active member gets a link or is signed in", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const organizations = yield* Organizations
        const place = yield* arrange()
        const { memberId, orgId } = place
        assert.isFalse(yield* sessions.issueLink({ orgId, memberId: uuid(), secretHash: hash(), now: start }))
        const { secretHash } = yield* signedIn(place)
        const link = yield* linked(place)
        yield* organizations.saveMember(orgId, { ...place.joined, status: "removed" })
        assert.isFalse(yield* isSignedIn(secretHash, start))
        assert.isTrue(Option.isNone(yield* sessions.lookAtLink(link, start)))
        assert.isTrue(Option.isNone(yield* sessions.redeem(link, newSession())))
        assert.isFalse(yield* sessions.issueLink({ orgId, memberId, secretHash: hash(), now: start }))
      }))

    it.effect("what a removed member was signed in with ended for good, also when they are added again", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const organizations = yield* Organizations
        const place = yield* arrange()
        const { memberId, orgId } = place
        const other = { ...place, joined: member({ memberId: uuid(), email: `bea-${made}@people.example` }) }
        yield* organizations.saveMember(orgId, other.joined)
        const stays = yield* signedIn({ ...other, memberId: other.joined.memberId })
        const { secretHash } = yield* signedIn(place)
        const link = yield* linked(place)

        // A change that leaves the member active ends nothing.
        yield* organizations.saveMember(orgId, { ...place.joined, role: "read_only" })
        assert.isTrue(yield* isSignedIn(secretHash, start))
        yield* organizations.saveMember(orgId, {
          ...place.joined,
          email: place.joined.email.toUpperCase(),
          status: "removed"
        })
        assert.deepStrictEqual(yield* sessions.list(orgId, memberId, start), [])
        assert.strictEqual(yield* organizations.saveMember(orgId, place.joined), "changed")
        assert.isFalse(yield* isSignedIn(secretHash, start))
        assert.isTrue(Option.isNone(yield* sessions.lookAtLink(link, start)))
        assert.isTrue(Option.isNone(yield* sessions.redeem(link, newSession())))
        assert.isTrue(yield* isSignedIn((yield* signedIn(place)).secretHash, start))
        assert.isTrue(yield* isSignedIn(stays.secretHash, start), "another member's")
      }))

    it.effect("the next request sees what changed of the member and the organization", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const organizations = yield* Organizations
        const { joined, organization, ...place } = yield* arrange()
        const { secretHash } = yield* signedIn({ joined, organization, ...place })
        yield* organizations.saveMember(place.orgId, { ...joined, seat: false, role: "read_only" })
        yield* organizations.setStatus(place.orgId, "suspended")
        const found = Option.getOrThrow(yield* sessions.authorize(secretHash, start))
        assert.deepStrictEqual(found.member, { ...joined, seat: false, role: "read_only" })
        assert.strictEqual(found.organization.status, "suspended")
      }))

    it.effect("a session ends unused, and old", () =>
      Effect.gen(function*() {
        const place = yield* arrange()
        const idle = Duration.toMillis(idleTime)
        const { secretHash } = yield* signedIn(place)
        assert.isTrue(yield* isSignedIn(secretHash, start + idle - minute))
        assert.isTrue(yield* isSignedIn(secretHash, start + 2 * idle - 2 * minute), "used in between")
        assert.isFalse(yield* isSignedIn(secretHash, start + 3 * idle))

        const other = yield* signedIn(place)
        const end = start + Duration.toMillis(sessionLifetime)
        for (let now = start; now < end; now += idle - minute) {
          assert.isTrue(yield* isSignedIn(other.secretHash, now))
        }
        assert.isTrue(yield* isSignedIn(other.secretHash, end - 1))
        assert.isFalse(yield* isSignedIn(other.secretHash, end))
      }))

    it.effect("lists the live sessions of a member and revokes one or all, of that member alone", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const place = yield* arrange()
        const stranger = yield* arrange()
        const { memberId, orgId } = place
        const one = yield* signedIn(place)
        const two = yield* signedIn(place, start + minute)
        const elsewhere = yield* signedIn(stranger)
        const ids = Effect.map(
          sessions.list(orgId, memberId, start + minute),
          (all) => all.map((each) => each.sessionId)
        )
        assert.deepStrictEqual(yield* ids, [two.sessionId, one.sessionId])

        assert.strictEqual(yield* sessions.revoke({ orgId, memberId, sessionId: elsewhere.sessionId }), 0)
        assert.strictEqual(
          yield* sessions.revoke({ orgId: stranger.orgId, memberId, sessionId: one.sessionId }),
          0,
          "another organization's"
        )
        assert.strictEqual(yield* sessions.revoke({ orgId, memberId, sessionId: one.sessionId }), 1)
        assert.isFalse(yield* isSignedIn(one.secretHash, start))
        assert.isTrue(yield* isSignedIn(two.secretHash, start + minute))
        assert.strictEqual(yield* sessions.revoke({ orgId, memberId, sessionId: null }), 1)
        assert.deepStrictEqual(yield* ids, [])
        assert.isTrue(yield* isSignedIn(elsewhere.secretHash, start))
      }))

    it.effect("keeps the session that is named when the others are revoked", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const place = yield* arrange()
        const { memberId, orgId } = place
        const kept = yield* signedIn(place)
        const other = yield* signedIn(place)
        assert.strictEqual(
          yield* sessions.revoke({ orgId, memberId, sessionId: null, keptSessionId: kept.sessionId }),
          1
        )
        assert.isTrue(yield* isSignedIn(kept.secretHash, start))
        assert.isFalse(yield* isSignedIn(other.secretHash, start))
      }))

    it.effect("a person is known by the verified address at first, and by the subject from then on", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const organizations = yield* Organizations
        const place = yield* arrange()
        const known = person({ email: place.joined.email.toUpperCase() })
        const none = yield* sessions.enter(person(), newSession())
        assert.isTrue(Option.isNone(none), "an address that is not verified is none")
        const session = newSession()
        const opened = Option.getOrThrow(yield* sessions.enter(known, session))
        assert.deepStrictEqual([opened.member, opened.organization], [place.joined, place.organization])
        assert.deepStrictEqual(Option.getOrThrow(yield* sessions.authorize(session.secretHash, start)), opened)

        const later = { ...known, email: null }
        assert.isTrue(Option.isSome(yield* sessions.enter(later, newSession())))
        const impostor = person({ email: place.joined.email })
        assert.isTrue(Option.isNone(yield* sessions.enter(impostor, newSession())), "the address has its subject")
        yield* organizations.saveMember(place.orgId, { ...place.joined, status: "removed" })
        assert.isTrue(Option.isNone(yield* sessions.enter(later, newSession())))
        assert.isFalse(yield* isSignedIn(session.secretHash, start))
      }))

    it.effect("a person of several organizations changes between them, within the time of the sign-in", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const organizations = yield* Organizations
        const first = yield* arrange()
        const { email } = first.joined
        const second = yield* arrange({ email })
        const foreign = yield* arrange()
        yield* organizations.setStatus(first.orgId, "suspended")
        const known = person({ email, signOutHint: Uint8Array.of(1, 2, 3) })

        const session = newSession()
        const entered = Option.getOrThrow(yield* sessions.enter(known, session))
        assert.strictEqual(entered.organization.org_id, second.orgId, "the active one")
        const listed = yield* sessions.memberships(second.orgId, session.sessionId)
        assert.deepStrictEqual(listed.map(({ org_id, status }) => [org_id, status]), [
          [first.orgId, "suspended"],
          [second.orgId, "active"]
        ])
        assert.deepStrictEqual(yield* sessions.memberships(first.orgId, session.sessionId), [], "another's session")

        const from = { orgId: second.orgId, sessionId: session.sessionId }
        const later = start + minute
        assert.isTrue(Option.isNone(yield* sessions.change(from, foreign.orgId, newSession(later))))
        assert.isTrue(Option.isNone(yield* sessions.change(from, second.orgId, newSession(later))), "it is there")
        assert.isTrue(Option.isNone(yield* sessions.change(from, first.orgId, newSession(later))), "it is suspended")
        assert.isTrue(yield* isSignedIn(session.secretHash, start))
        yield* organizations.setStatus(first.orgId, "active")
        const changed = newSession(later)
        const moved = Option.getOrThrow(yield* sessions.change(from, first.orgId, changed))
        assert.strictEqual(moved.member.memberId, first.memberId)
        assert.strictEqual(moved.session.signedInAt.getTime(), start)
        assert.strictEqual(moved.session.userAgent, "Browser/1")
        assert.isFalse(yield* isSignedIn(session.secretHash, later), "ended by the change")
        assert.isTrue(yield* isSignedIn(changed.secretHash, later))
        const hint = yield* sessions.signOutHint(first.orgId, changed.sessionId)
        assert.deepStrictEqual([...Option.getOrThrow(hint)], [1, 2, 3])
        assert.isTrue(Option.isNone(yield* sessions.signOutHint(second.orgId, changed.sessionId)))
      }))

    it.effect("a session of a link, and one for a named organization, are for that one alone", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const first = yield* arrange()
        const { email } = first.joined
        const second = yield* arrange({ email })
        const named = newSession()
        const known = person({ email, orgId: second.orgId })
        const entered = Option.getOrThrow(yield* sessions.enter(known, named))
        assert.strictEqual(entered.organization.org_id, second.orgId)
        const elsewhere = yield* arrange()
        assert.isTrue(Option.isNone(yield* sessions.enter({ ...known, orgId: elsewhere.orgId }, newSession())))
        for (const [place, { sessionId }] of [[second, named], [first, yield* signedIn(first)]] as const) {
          const listed = yield* sessions.memberships(place.orgId, sessionId)
          assert.deepStrictEqual(listed, [place.organization])
          const to = place === first ? second.orgId : first.orgId
          const from = { orgId: place.orgId, sessionId }
          assert.isTrue(Option.isNone(yield* sessions.change(from, to, newSession())))
        }
      }))

    it.effect("one session too many ends the one that was unused longest", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const place = yield* arrange()
        const opened = yield* Effect.forEach(
          Array.from({ length: maximumSessions }, (_, index) => start + index * minute),
          (now) => signedIn(place, now)
        )
        const now = start + maximumSessions * minute
        const [first, second] = opened
        assert.isTrue(yield* isSignedIn(first?.secretHash ?? "", now), "used just now")
        const last = yield* signedIn(place, now + 1)
        assert.isTrue(yield* isSignedIn(first?.secretHash ?? "", now + 1))
        assert.isTrue(yield* isSignedIn(last.secretHash, now + 1))
        assert.isFalse(yield* isSignedIn(second?.secretHash ?? "", now + 1))
        assert.lengthOf(yield* sessions.list(place.orgId, place.memberId, now + 1), maximumSessions)
      }))
  })
