/**
 * What every `Connections` must do. Adapters call `connectionsContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import { type Connection, type ConnectionRequest, Connections, maximumConnections } from "../access/Connections.ts"
import { KeyRing } from "../access/KeyRing.ts"
import { defaults, type Organization } from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import { windowMillis } from "../rate/RateWindow.ts"
import { member } from "./Seed.ts"

const issuer = "https://issuer.example"
const now = Date.UTC(2026, 2, 30, 12)

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

/** A new organization. */
const arrange = Effect.fnUntraced(function*(settings: Partial<Organization> = {}) {
  const organization = { ...defaults(`org_people_${++made}`), ...settings }
  yield* Organizations.use((organizations) => organizations.save(organization))
  return organization
})

const address = (name: string) => `${name}-${++made}@people.example`

const join = Effect.fnUntraced(function*(orgId: string, email: string, given: Partial<Member> = {}) {
  const joined = member({ memberId: uuid(), email, ...given })
  yield* Organizations.use((organizations) => organizations.saveMember(orgId, joined))
  return joined
})

const authorize = (request: Partial<ConnectionRequest> & Pick<ConnectionRequest, "subject">) =>
  Connections.use((connections) =>
    connections.authorize({
      issuer,
      email: null,
      clientId: "assistant",
      orgId: null,
      connectionId: uuid(),
      now,
      ...request
    })
  )

const connected = Effect.fnUntraced(function*(request: Parameters<typeof authorize>[0]) {
  const outcome = yield* authorize(request)
  return outcome._tag === "Connected" ? outcome : yield* Effect.die(`expected a connection, not ${outcome._tag}`)
})

const tagOf = (request: Parameters<typeof authorize>[0]) => Effect.map(authorize(request), ({ _tag }) => _tag)

/** What any `Connections` does. */
export const connectionsContract = <E>(
  name: string,
  adapters: Layer.Layer<Connections | KeyRing | Organizations, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`Connections ${name}`, (it) => {
    it.effect("finds a member by the address at first, then by the subject alone", () =>
      Effect.gen(function*() {
        const organization = yield* arrange({ plan: "enterprise" })
        const email = address("ana")
        const member = yield* join(organization.org_id, email, {
          role: "admin",
          territory: { county_fips: ["99001"] },
          monthlyCreditLimit: 30
        })
        const subject = uuid()
        assert.strictEqual(yield* tagOf({ subject }), "NotAMember")

        const first = yield* connected({ subject, email: email.toUpperCase() })
        assert.deepStrictEqual(first.member, member)
        assert.deepStrictEqual(first.organization, organization)
        assert.deepInclude(first.connection, {
          orgId: organization.org_id,
          memberId: member.memberId,
          clientId: "assistant",
          firstSeen: DateTime.toDateUtc(DateTime.makeUnsafe(now)),
          revokedAt: null
        })

        const again = yield* connected({ subject })
        assert.deepStrictEqual(again.connection, first.connection)
        assert.strictEqual(
          (yield* connected({ subject, email: "moved@people.example" })).member.memberId,
          member.memberId
        )
        assert.strictEqual(yield* tagOf({ subject: uuid(), email }), "NotAMember", "the address is taken")
      }))

    it.effect("knows a member anew at another issuer", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const email = address("ben")
        yield* join(org_id, email)
        const [here, there] = [uuid(), uuid()]
        yield* connected({ subject: here, email })
        yield* connected({ subject: there, email, issuer: "https://other.example" })
        assert.strictEqual(yield* tagOf({ subject: here }), "NotAMember")
      }))

    it.effect("takes a person of several organizations into the one they name, or else the one they joined first", () =>
      Effect.gen(function*() {
        const [one, two] = [yield* arrange(), yield* arrange({ plan: "enterprise" })]
        const other = yield* arrange()
        const email = address("cleo")
        yield* join(two.org_id, email)
        yield* join(one.org_id, email)
        const subject = uuid()
        assert.strictEqual((yield* connected({ subject, email })).organization.org_id, two.org_id)
        assert.deepStrictEqual((yield* connected({ subject, orgId: one.org_id })).organization, one)
        assert.deepStrictEqual((yield* connected({ subject, orgId: two.org_id })).organization, two)
        assert.strictEqual(yield* tagOf({ subject, email, orgId: other.org_id }), "NotAMember")
        yield* join(other.org_id, email)
        assert.strictEqual(
          (yield* connected({ subject, email, orgId: other.org_id })).organization.org_id,
          other.org_id
        )

        yield* join(two.org_id, email, { status: "removed" })
        assert.deepStrictEqual(
          (yield* connected({ subject })).organization,
          one,
          "the settings are those of the next one"
        )
      }))

    it.effect("lets nobody in who was removed, and forgets where they signed in", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange()
        const email = address("dan")
        yield* join(org_id, email)
        const subject = uuid()
        yield* connected({ subject, email })
        yield* join(org_id, email, { status: "removed" })
        assert.strictEqual(yield* tagOf({ subject, email }), "NotAMember")
        yield* join(org_id, email)
        assert.strictEqual(yield* tagOf({ subject }), "NotAMember", "the address may be somebody else's now")
        yield* connected({ subject: uuid(), email })
      }))

    it.effect("makes one connection for each client, and keeps a revoked one revoked until it is cleared", () =>
      Effect.gen(function*() {
        const connections = yield* Connections
        const { org_id: orgId } = yield* arrange()
        const [email, elsewhere] = [address("eve"), address("fay")]
        const { memberId } = yield* join(orgId, email)
        yield* join(orgId, elsewhere)
        const [subject, stranger] = [uuid(), uuid()]
        const one = yield* connected({ subject, email, clientId: "one" })
        const two = yield* connected({ subject, clientId: "two", now: now + 1 })
        const theirs = yield* connected({ subject: stranger, email: elsewhere, clientId: "one", now: now + 2 })
        assert.deepStrictEqual(yield* connections.list(orgId), [one.connection, two.connection, theirs.connection])

        const [revoked] = yield* connections.setRevoked({ orgId, memberId, clientId: "one", revoked: true })
        assert.isNotNull(revoked?.revokedAt)
        assert.isEmpty(yield* connections.setRevoked({ orgId, memberId, clientId: "one", revoked: true }), "repeated")
        assert.deepInclude(yield* connections.list(orgId), revoked)
        assert.strictEqual(yield* tagOf({ subject, email, clientId: "one" }), "Revoked")
        yield* connected({ subject, clientId: "two" })
        yield* connected({ subject: stranger, clientId: "one" })

        const others = yield* connections.setRevoked({ orgId, memberId, clientId: null, revoked: true })
        assert.deepStrictEqual(others.map(({ clientId }) => clientId), ["two"], "one was revoked before")
        assert.strictEqual(yield* tagOf({ subject, clientId: "two" }), "Revoked")
        const cleared = yield* connections.setRevoked({ orgId, memberId, clientId: null, revoked: false })
        assert.deepStrictEqual(cleared, [one.connection, two.connection])
        assert.deepStrictEqual((yield* connected({ subject, clientId: "one" })).connection, one.connection)
        assert.isEmpty(yield* connections.setRevoked({ orgId, memberId, clientId: "never seen", revoked: true }))
        assert.isEmpty(yield* connections.setRevoked({ orgId: "nobody", memberId, clientId: null, revoked: true }))
      }))

    it.effect("lets admins in alone where the organization wants it so, and makes no connection for others", () =>
      Effect.gen(function*() {
        const organization = yield* arrange({ member_connect: "admins" })
        const [admin, member] = [address("gus"), address("hal")]
        yield* join(organization.org_id, admin, { role: "admin" })
        yield* join(organization.org_id, member)
        const subject = uuid()
        assert.deepStrictEqual(yield* authorize({ subject, email: member }), { _tag: "Disabled", organization })
        yield* connected({ subject: uuid(), email: admin })
        const listed = yield* Connections.use((connections) => connections.list(organization.org_id))
        assert.strictEqual(listed.length, 1)
        yield* Organizations.use((organizations) => organizations.save({ ...organization, member_connect: "all" }))
        yield* connected({ subject })
      }))

    it.effect("counts each connection by itself, and all of an organization for the day", () =>
      Effect.gen(function*() {
        const { org_id } = yield* arrange({ requests_per_minute: 2, requests_per_day: 4 })
        const email = address("ida")
        yield* join(org_id, email)
        const subject = uuid()
        const told = (clientId: string, at: number) =>
          Effect.map(connected({ subject, email, clientId, now: at }), ({ day, minute }) => [
            minute.admitted,
            minute.used,
            day?.admitted,
            day?.used
          ])
        assert.deepStrictEqual(yield* told("one", now), [true, 1, true, 1])
        assert.deepStrictEqual(yield* told("one", now), [true, 2, true, 2])
        assert.deepStrictEqual(yield* told("one", now), [false, 2, true, 2])
        assert.deepStrictEqual(yield* told("two", now), [true, 1, true, 3])
        assert.deepStrictEqual(yield* told("one", now + windowMillis), [true, 1, true, 4])
        assert.deepStrictEqual(yield* told("one", now + windowMillis), [true, 1, false, 4])
      }))

    it.effect("keeps connections and keys apart", () =>
      Effect.gen(function*() {
        const keys = yield* KeyRing
        const { org_id: orgId } = yield* arrange()
        const email = address("jo")
        yield* join(orgId, email)
        const { connection } = yield* connected({ subject: uuid(), email })
        assert.isEmpty(yield* keys.list(orgId))
        assert.deepStrictEqual(yield* keys.revoke(connection.connectionId), Option.none())
        assert.deepStrictEqual(yield* keys.update(connection.connectionId, { scopes: ["mcp"] }), Option.none())
      }))

    it.effect("lets ten of a member's connections be used in a minute, and an eleventh when the first window has ended (R9)", () =>
      Effect.gen(function*() {
        const connections = yield* Connections
        const { org_id: orgId } = yield* arrange({ plan: "enterprise" })
        const [email, elsewhere] = [address("lea"), address("mia")]
        yield* join(orgId, email)
        yield* join(orgId, elsewhere)
        const subject = uuid()
        const first: Array<Connection> = []
        for (let client = 0; client < maximumConnections; client++) {
          const { connection } = yield* connected({ subject, email, clientId: `client ${client}`, now: now + client })
          first.push(connection)
        }
        const crowded = {
          _tag: "Crowded",
          minute: { admitted: false, limit: 300, used: 300, resetsAt: now + windowMillis }
        }
        const newcomer = { subject, clientId: "newcomer" }
        assert.deepStrictEqual<unknown>(yield* authorize({ ...newcomer, now: now + 20 }), crowded)
        assert.deepStrictEqual<unknown>(yield* authorize({ ...newcomer, now: now + windowMillis - 1 }), crowded)
        assert.deepStrictEqual(yield* connections.list(orgId), first)
        assert.strictEqual((yield* connected({ subject, clientId: "client 9", now: now + 20 })).minute.used, 2)
        yield* connected({ subject: uuid(), email: elsewhere, clientId: "client 0", now: now + 20 })

        const late = now + windowMillis
        const { connection, minute } = yield* connected({ ...newcomer, now: late })
        assert.deepInclude(connection, {
          connectionId: first[0]?.connectionId ?? "",
          clientId: "newcomer",
          firstSeen: DateTime.toDateUtc(DateTime.makeUnsafe(late))
        })
        assert.strictEqual(minute.used, 1)
        assert.deepInclude(yield* authorize({ subject, clientId: "client 0", now: late }), { _tag: "Crowded" })
        const mine = (yield* connections.list(orgId)).filter(({ memberId }) => memberId === connection.memberId)
        assert.deepStrictEqual(mine, [...first.slice(1), connection])
      }))

    it.effect("gives up no revoked connection, and no window to those that were cleared beyond ten (R9)", () =>
      Effect.gen(function*() {
        const connections = yield* Connections
        const { org_id: orgId } = yield* arrange()
        const email = address("nia")
        const { memberId } = yield* join(orgId, email)
        const subject = uuid()
        const clients = Array.from({ length: maximumConnections }, (_, index) => `client ${index}`)
        for (const clientId of clients) yield* connected({ subject, email, clientId })
        yield* connections.setRevoked({ orgId, memberId, clientId: null, revoked: true })
        const later = now + windowMillis
        const others = clients.map((client) => `other ${client}`)
        for (const clientId of others) yield* connected({ subject, clientId, now: later })
        for (const clientId of clients) assert.strictEqual(yield* tagOf({ subject, clientId, now: later }), "Revoked")
        assert.lengthOf(yield* connections.list(orgId), 20)

        yield* connections.setRevoked({ orgId, memberId, clientId: null, revoked: false })
        for (const clientId of clients) assert.strictEqual(yield* tagOf({ subject, clientId, now: later }), "Crowded")
        for (const clientId of clients) yield* connected({ subject, clientId, now: later + windowMillis })
        assert.strictEqual(yield* tagOf({ subject, clientId: "other client 0", now: later + windowMillis }), "Crowded")
        assert.lengthOf(yield* connections.list(orgId), 20)
      }))

    it.effect("has ten at most also when many clients come at once (R9)", () =>
      Effect.gen(function*() {
        const { org_id: orgId } = yield* arrange()
        const email = address("ola")
        yield* join(orgId, email)
        const subject = uuid()
        const outcomes = yield* Effect.all(
          Array.from({ length: 30 }, (_, index) => tagOf({ subject, email, clientId: `client ${index}` })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter((tag) => tag === "Connected"), maximumConnections)
        assert.lengthOf(outcomes.filter((tag) => tag === "Crowded"), 20)
        assert.lengthOf(yield* Connections.use((connections) => connections.list(orgId)), maximumConnections)
      }))

    it.effect("makes one connection however many first calls come at once", () =>
      Effect.gen(function*() {
        const { org_id: orgId } = yield* arrange({ plan: "enterprise" })
        const email = address("kim")
        yield* join(orgId, email)
        const subject = uuid()
        const calls = yield* Effect.all(Array.from({ length: 12 }, () => connected({ subject, email })), {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(calls.map(({ connection }) => connection.connectionId)).size, 1)
        assert.strictEqual(Math.max(...calls.map(({ minute }) => minute.used)), 12)
        assert.strictEqual((yield* Connections.use((connections) => connections.list(orgId))).length, 1)
      }))
  })
