/**
 * What every `Notices` and its `NoticeMails` must do. Adapters call `noticesContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Duration, Effect, type Layer } from "effect"
import { type DueMail, mailLife, NoticeMails } from "../notice/NoticeMails.ts"
import { type NoticeKind, Notices, retention } from "../notice/Notices.ts"
import { defaults } from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"

const noon = Date.UTC(2026, 2, 30, 12)
const day = 86_400_000
const lease = Duration.minutes(5)

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

const arrange = Effect.gen(function*() {
  const orgId = `org_notices_${++made}`
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  const notices = yield* Notices
  return {
    orgId,
    record: (cause: string, now: number, kind: NoticeKind = "viewing_paused") =>
      notices.record({ id: uuid(), orgId, kind, cause, text: `About ${cause}`, now }),
    texts: Effect.map(
      notices.list({ orgId, limit: 10, offset: 0 }),
      ({ notices, total }) => [total, ...notices.map(({ text }) => text)]
    )
  }
})

const member = (name: string, given: Partial<Member> = {}): Member => ({
  memberId: uuid(),
  email: `${name}@people.example`,
  name,
  role: "admin",
  seat: true,
  status: "active",
  territory: null,
  monthlyCreditLimit: null,
  ...given
})

/** Everything that is due, of whomever. */
const claimAll = (now: number) => NoticeMails.use((mails) => mails.claim({ limit: 100, lease, now }))

const claimOf = (orgId: string | null, now: number) =>
  Effect.map(claimAll(now), (due) => due.filter((mail) => mail.orgId === orgId))

const mailsOf = (orgId: string | null) =>
  Notices.use((notices) =>
    Effect.map(
      notices.list({ orgId, limit: 1000, offset: 0 }),
      ({ notices }) => notices.filter((notice) => notice.orgId === orgId).map(({ mail }) => mail)
    )
  )

/** One mail of an organization of its own. */
const aMail = Effect.gen(function*() {
  const { orgId, record } = yield* arrange
  const now = yield* Clock.currentTimeMillis
  yield* record("ana", now)
  const [mail] = yield* claimOf(orgId, now)
  if (mail === undefined) return yield* Effect.die("a mail is due")
  return { orgId, now, mail }
})

/** The suite for an adapter. */
export const noticesContract = <E>(
  name: string,
  adapters: Layer.Layer<Notices | NoticeMails | Organizations, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`Notices ${name}`, (it) => {
    it.effect("tells a cause once a UTC day, newest first", () =>
      Effect.gen(function*() {
        const { record, texts } = yield* arrange
        assert.isTrue(yield* record("ana", noon))
        assert.isFalse(yield* record("ana", noon + 11 * 3_600_000))
        assert.isTrue(yield* record("ben", noon + 1))
        assert.isTrue(yield* record("ana", noon + 12 * 3_600_000))
        assert.deepStrictEqual(yield* texts, [3, "About ana", "About ben", "About ana"])
      }))

    it.effect("pages, and keeps organizations and kinds apart unless all are asked for", () =>
      Effect.gen(function*() {
        const notices = yield* Notices
        const one = yield* arrange
        const other = yield* arrange
        yield* one.record("ana", noon)
        yield* one.record("ben", noon + 1, "support_requested")
        yield* other.record("cid", noon + 2)
        const page = yield* notices.list({ orgId: one.orgId, limit: 1, offset: 1 })
        assert.deepStrictEqual([page.total, ...page.notices.map(({ text }) => text)], [2, "About ana"])
        const paused = yield* notices.list({ orgId: one.orgId, kinds: ["viewing_paused"], limit: 10, offset: 0 })
        assert.deepStrictEqual([paused.total, ...paused.notices.map(({ text }) => text)], [1, "About ana"])
        const { notices: all } = yield* notices.list({ orgId: null, limit: 1000, offset: 0 })
        const mine = all.filter(({ orgId }) => orgId === one.orgId || orgId === other.orgId)
        assert.deepStrictEqual(mine.map(({ text }) => text), ["About cid", "About ben", "About ana"])
      }))

    it.effect("forgets what is older than its retention", () =>
      Effect.gen(function*() {
        const { record, texts } = yield* arrange
        yield* record("ana", noon)
        yield* record("ben", noon + day)
        yield* record("cid", noon + Duration.toMillis(retention))
        assert.deepStrictEqual(yield* texts, [2, "About cid", "About ben"])
      }))

    it.effect("tells of the installation as of an organization, to nobody's admins", () =>
      Effect.gen(function*() {
        const notices = yield* Notices
        const now = yield* Clock.currentTimeMillis
        const cause = uuid()
        const notice = { orgId: null, kind: "source_failed", cause, text: `About ${cause}`, now } as const
        assert.isTrue(yield* notices.record({ ...notice, id: uuid() }))
        assert.isFalse(yield* notices.record({ ...notice, id: uuid() }))
        const { notices: all } = yield* notices.list({ orgId: null, limit: 1000, offset: 0 })
        assert.deepStrictEqual(
          all.filter(({ text }) => text === notice.text).map(({ mail, orgId }) => [orgId, mail]),
          [[null, "waiting"]]
        )
        const mine = (due: ReadonlyArray<DueMail>) => due.filter(({ text }) => text === notice.text)
        assert.deepStrictEqual(mine(yield* claimOf(null, now)).map(({ admins, attempt }) => [admins, attempt]), [[
          [],
          1
        ]])
        assert.deepStrictEqual(mine(yield* claimOf(null, now)), [])
      }))

    it.effect("a mail is claimed by one of many, for the active admins of its organization (W8)", () =>
      Effect.gen(function*() {
        const { orgId, record } = yield* arrange
        const organizations = yield* Organizations
        for (
          const each of [
            member("ana"),
            member("ben", { role: "member" }),
            member("cid", { status: "removed" }),
            member("dot")
          ]
        ) yield* organizations.saveMember(orgId, each)
        const now = yield* Clock.currentTimeMillis
        yield* record("ana", now)
        const claimed = yield* Effect.all(Array.from({ length: 5 }, () => claimOf(orgId, now)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          claimed.flat().map(({ admins, attempt, ended, text }) => ({
            admins: admins.toSorted(),
            attempt,
            ended,
            text
          })),
          [{ admins: ["ana@people.example", "dot@people.example"], attempt: 1, ended: [], text: "About ana" }]
        )
      }))

    it.effect("what a process left comes due when its time is over, without those who have it", () =>
      Effect.gen(function*() {
        const { mail, now, orgId } = yield* aMail
        const mails = yield* NoticeMails
        yield* mails.end(mail, "ana@people.example", null)
        assert.deepStrictEqual(yield* claimOf(orgId, now + Duration.toMillis(lease) - 1), [])
        const [again] = yield* claimOf(orgId, now + Duration.toMillis(lease))
        assert.deepStrictEqual([again?.attempt, again?.ended], [2, ["ana@people.example"]])
        // The one who had it comes back too late.
        yield* mails.settle(mail, null)
        yield* mails.giveUp(mail, "made up")
        assert.deepStrictEqual(yield* mailsOf(orgId), ["waiting"])
      }))

    it.effect("is sent, tried again at its time, or given up, and too old a day later", () =>
      Effect.gen(function*() {
        const mails = yield* NoticeMails
        const sent = yield* aMail
        yield* mails.end(sent.mail, "ana@people.example", null)
        yield* mails.settle(sent.mail, null)
        assert.deepStrictEqual(yield* mailsOf(sent.orgId), ["sent"])

        const refused = yield* aMail
        yield* mails.end(refused.mail, "ana@people.example", "no such mailbox")
        yield* mails.settle(refused.mail, null)
        assert.deepStrictEqual(yield* mailsOf(refused.orgId), ["given_up"])

        const later = yield* aMail
        yield* mails.settle(later.mail, later.now + 1000)
        assert.deepStrictEqual(yield* claimOf(later.orgId, later.now + 999), [])
        const [again] = yield* claimOf(later.orgId, later.now + 1000)
        assert.strictEqual(again?.attempt, 2)
        if (again !== undefined) yield* mails.giveUp(again, "made up")
        assert.deepStrictEqual(yield* mailsOf(later.orgId), ["given_up"])

        const nobody = yield* aMail
        yield* mails.settle(nobody.mail, null)
        assert.deepStrictEqual(yield* mailsOf(nobody.orgId), ["none"])

        const { orgId, record } = yield* arrange
        yield* record("ana", sent.now - Duration.toMillis(mailLife))
        assert.deepStrictEqual(yield* claimOf(orgId, sent.now), [])
        assert.deepStrictEqual(yield* mailsOf(orgId), ["none"])
      }))
  })
