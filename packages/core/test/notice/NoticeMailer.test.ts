/** Notices as mails, with everything in memory. All data is made up. */
import { assert, it } from "@effect/vitest"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as MailerMemory from "@freehold/core/memory/notice/MailerMemory"
import * as NoticeMailsMemory from "@freehold/core/memory/notice/NoticeMailsMemory"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { MailNotTaken } from "@freehold/core/notice/Mailer"
import * as NoticeMailer from "@freehold/core/notice/NoticeMailer"
import { type NoticeKind, Notices } from "@freehold/core/notice/Notices"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"

const operator = "ops@operator.example"
const settings: NoticeMailer.MailSettings = {
  operator: Option.some(operator),
  origin: "https://api.example",
  poll: Duration.seconds(10)
}

const ports = () =>
  Layer.mergeAll(NoticesMemory.layer, NoticeMailsMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer),
    Layer.merge(MailerMemory.layer)
  )

const arrange = Effect.gen(function*() {
  const organizations = yield* Organizations
  yield* organizations.save(defaults("org_a"))
  yield* organizations.saveMember("org_a", {
    memberId: "00000000-0000-4000-8000-000000000001",
    email: "ana@people.example",
    name: "Ana",
    role: "admin",
    seat: true,
    status: "active",
    territory: null,
    monthlyCreditLimit: null
  })
})

const tell = (orgId: string | null, kind: NoticeKind) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* Notices.use((notices) =>
      notices.record({ id: `${orgId} ${kind}`, orgId, kind, cause: "c", text: "It is.", now })
    )
  })

const taken = Effect.map(MailerMemory.Mailbox, ({ taken }) => taken)
const states = Notices.use((notices) =>
  Effect.map(notices.list({ orgId: null, limit: 10, offset: 0 }), (found) => found.notices.map(({ mail }) => mail))
)

it.effect("tells the operator everything, and admins what is theirs to know, once however many send (W8)", () =>
  Effect.gen(function*() {
    yield* arrange
    yield* tell("org_a", "endpoint_disabled")
    yield* tell("org_a", "support_requested")
    yield* tell(null, "import_failed")
    yield* Effect.forEach([1, 2, 3], () => Effect.forkScoped(NoticeMailer.run(settings)))
    yield* TestClock.adjust("1 minute")
    const mails = yield* taken
    assert.deepStrictEqual(mails.map(({ subject, to }) => `${to} ${subject}`).toSorted(), [
      "ana@people.example Freehold: A webhook endpoint was disabled",
      "ops@operator.example Freehold: A webhook endpoint was disabled",
      "ops@operator.example Freehold: An import failed",
      "ops@operator.example Freehold: An organization asks for support"
    ])
    assert.notInclude(mails.find(({ to }) => to === "ana@people.example")?.text ?? "org_a", "org_a")
    assert.strictEqual(new Set(mails.map(({ id }) => id)).size, 4)
    assert.deepStrictEqual(yield* states, ["sent", "sent", "sent"])
  }).pipe(Effect.provide(ports())))

it.effect("tries again whom a mail was not taken for, and nobody twice (W8)", () =>
  Effect.gen(function*() {
    yield* arrange
    const { refusals } = yield* MailerMemory.Mailbox
    refusals.set(operator, new MailNotTaken({ reason: "busy", lasting: false }))
    yield* tell("org_a", "viewing_paused")
    yield* Effect.forkScoped(NoticeMailer.run(settings))
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual((yield* taken).map(({ to }) => to), ["ana@people.example"])
    refusals.clear()
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual((yield* taken).map(({ to }) => to), ["ana@people.example", operator])
    assert.deepStrictEqual(yield* states, ["sent"])
  }).pipe(Effect.provide(ports())))

it.effect("gives up after five attempts, and after one where an address is refused for good", () =>
  Effect.gen(function*() {
    yield* arrange
    const { refusals } = yield* MailerMemory.Mailbox
    const asked: Array<string> = []
    refusals.get = (address) => {
      asked.push(address)
      return new MailNotTaken({ reason: "made up", lasting: address !== operator })
    }
    yield* tell("org_a", "viewing_paused")
    yield* Effect.forkScoped(NoticeMailer.run(settings))
    yield* TestClock.adjust("5 hours")
    assert.deepStrictEqual(asked.filter((address) => address !== operator), ["ana@people.example"])
    assert.strictEqual(asked.length, 1 + 1 + NoticeMailer.retryDelays.length)
    assert.deepStrictEqual(yield* states, ["given_up"])
  }).pipe(Effect.provide(ports())))
