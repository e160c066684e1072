/**
 * What a member who signed in is told of a place beyond their territory, by every tool of a running server over PostgreSQL, by its
 * resources, prompts and completion, and by what a webhook says of their leads: nothing.
 */
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { operations } from "@freehold/core/catalogue/Catalogue"
import type { LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { Seeder } from "@freehold/core/testing/Seed"
import { prompts } from "@freehold/mcp-host/Prompts"
import { tools } from "@freehold/mcp-host/Tools"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { assert, test } from "vitest"
import { type Environment, runJson, serve } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"
import { startIssuer } from "./Issuer.ts"

const { adminWithin, members, orgId, unread } = ClosedPlace

type Member = (typeof members)[keyof typeof members]

/** A request of the protocol, as a member. Of any shape: what comes back is what is looked for. */
type Request = (method: string, params: object) => Promise<ReturnType<typeof JSON.parse>>

const [far, , , farFirm, farPerson] = ClosedPlace.closed
const month = new Date().toISOString().slice(0, 7)
const ledger = `freehold://ledger/${month}`

/** What a member asks besides tools, about the closed place wherever it can be named. */
const besidesTools = (lists: ReadonlyArray<string>) => {
  const given = {
    county: ClosedPlace.counties.near,
    looking_for: "offices",
    list: "Mine",
    property: far,
    contact: farPerson,
    month
  }
  const templates = ["properties/{id}", "contacts/{id}", "lists/{id}", "ledger/{month}"].map((each) =>
    `freehold://${each}`
  )
  return [
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["prompts/list", {}],
    ...[
      ...[...ClosedPlace.closed, ClosedPlace.nearProperty].flatMap((id) => [
        `freehold://properties/${id}`,
        `freehold://contacts/${id}`
      ]),
      `freehold://contacts/${ClosedPlace.openFromAfar.contact_id}`,
      ...lists.map((id) => `freehold://lists/${id}`),
      ledger
    ].map((uri) => ["resources/read", { uri }] as const),
    ...prompts.map((prompt) => ["prompts/get", { name: prompt.name, arguments: given }] as const),
    ...["", "zanzil", ClosedPlace.counties.far].flatMap((value) => [
      ...prompts.flatMap((prompt) =>
        prompt.arguments.map(({ name }) => ({
          ref: { type: "ref/prompt", name: prompt.name },
          argument: { name, value }
        }))
      ),
      ...templates.map((uri) => ({
        ref: { type: "ref/resource", uri },
        argument: { name: /\{(\w+)\}/.exec(uri)?.[1] ?? "", value }
      }))
    ]).map((params) => ["completion/complete", params] as const)
  ] as const
}

/** Nobody takes up the research of what nobody has read beyond the territory, so that it does not end. */
const heldBack = (sql: SqlClient.SqlClient) =>
  Effect.andThen(
    sql`CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.due_at := NEW.due_at + interval '1 day'; RETURN NEW; END $$`,
    sql`CREATE TRIGGER hold_back BEFORE INSERT ON research_item FOR EACH ROW
      WHEN (NEW.subject_id = '${sql.literal(unread.far)}') EXECUTE FUNCTION hold_back()`
  )

test("no tool tells a member of a place beyond their territory, and each is asked (T1)", async () => {
  const { drop, url } = await migratedDatabase()
  const issuer = await startIssuer(() => `${server.url}/mcp`)
  const env: Environment = {
    DATABASE_URL: url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    OAUTH_ISSUER: issuer.url,
    FREEHOLD_WEBHOOK_TARGETS: "any",
    LOG_LEVEL: "none"
  }
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(204).end()
      receiver.emit("delivery", body)
    })
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  await Effect.runPromise(
    administer(
      Redacted.make(url),
      (sql) =>
        Seeder.use((seeder) =>
          Effect.andThen(seeder.add(ClosedPlace.seed), seeder.add({ members: [{ orgId, ...adminWithin }] }))
        ).pipe(
          Effect.provide(SeederPg.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))),
          Effect.andThen(heldBack(sql))
        )
    )
  )
  const grant = ["--bucket", "included", "--amount", "1000", "--ref", "welcome"]
  await runJson(["credits", "grant", "--org", orgId, ...grant], env)
  const server = await serve([], env)

  const requesting = async (member: Member): Promise<Request> => {
    issuer.know(member.memberId, { email: member.email, email_verified: true })
    const token = await issuer.token(member.memberId)
    return async (method, params) => {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      })
      return response.json()
    }
  }

  const asking = async (member: Member): Promise<ClosedPlace.Ask<never>> => {
    const request = await requesting(member)
    return (name, input) =>
      Effect.promise(async () => {
        const body = await request("tools/call", { name, arguments: input })
        assert.isDefined(body.result, `${name} ${JSON.stringify(body)}`)
        return body.result.structuredContent
      })
  }

  /** What the ledger of the month has of each entry, as the member may read it. */
  const entriesTo = async (member: Member): Promise<ReadonlyArray<LedgerEntry>> => {
    const { result } = await (await requesting(member))("resources/read", { uri: ledger })
    return JSON.parse(result.contents[0].text).entries
  }

  /** What is delivered of a lead that the member makes of the property within their territory. */
  const delivered = async (ask: ClosedPlace.Ask<never>): Promise<string> => {
    const grants = ["--org", orgId, "--name", "receiver", "--scopes", "events:subscribe"]
    // Of any shape: what it has is what is used.
    const { secret }: ReturnType<typeof JSON.parse> = await runJson(["key", "create", ...grants], env)
    const address = receiver.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`
    const { status } = await fetch(`${server.url}/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["lead.qualified"] })
    })
    assert.strictEqual(status, 200)
    const delivery = once(receiver, "delivery")
    const lead = await Effect.runPromise(
      ask("service_qualify_lead", { property_id: ClosedPlace.nearProperty, deal_value: 5000 })
    )
    assert.propertyVal(lead, "status", "qualified")
    const [body] = await delivery
    return String(body)
  }

  try {
    const body = await delivered(await asking(members.within))
    assert.include(body, "1 openstreet")
    assert.notInclude(body.toLowerCase(), "zanzil")
    const names = operations.flatMap(({ name, tool }) => tool ? [name] : [])
    assert.sameMembers(names, tools.map(({ operation }) => operation.name))
    const { leaks, shown, told } = await Effect.runPromise(
      ClosedPlace.crawl(await asking(members.whole), await asking(members.within), names)
    )
    assert.deepStrictEqual(leaks, [])
    for (const fact of ClosedPlace.found) assert.include(shown, fact)
    const batch = (await asking(members.within))("service_research_properties", {
      property_ids: [unread.near],
      maxCredits: 10
    })
    const refused = { code: "BATCH_ALREADY_RUNNING", run_id: null, next: { retry_after_seconds: 5 } }
    assert.deepInclude(await Effect.runPromise(batch), refused)
    assert.deepStrictEqual(ClosedPlace.words.filter((word) => !told.has(word)), [])

    for (const [name, input] of ClosedPlace.purchases.slice(1)) {
      assert.property(await Effect.runPromise((await asking(members.whole))(name, input)), "run_id")
    }
    const { lists } = await Effect.runPromise((await asking(members.whole))("service_list_lists", {}))
    const asked = besidesTools(lists.map(({ id }: { readonly id: string }) => id))
    for (const member of [members.within, adminWithin]) {
      const request = await requesting(member)
      const answers = await Promise.all(
        asked.map(async ([name, params]) => ({
          name,
          asked: JSON.stringify(params),
          answered: JSON.stringify(await request(name, params))
        }))
      )
      assert.deepStrictEqual(ClosedPlace.leaksIn(answers), [], member.name)
      // The property, the person, the list, and for an admin the ledger.
      const shown = answers.filter(({ answered }) => answered.includes("\"contents\":"))
      assert.lengthOf(shown, member === adminWithin ? 4 : 3)
    }
    const [whole, within] = [await entriesTo(members.whole), await entriesTo(adminWithin)]
    assert.includeMembers(whole.map(({ subject_id }) => subject_id), [unread.far, farPerson, farFirm])
    assert.include(within.map(({ subject_id }) => subject_id), ClosedPlace.openFromAfar.locked)
    const unnamed = (entries: ReadonlyArray<LedgerEntry>) =>
      entries.map((entry) => ({ ...entry, subject_id: null, ref: entry.kind === "refund" ? null : entry.ref }))
    assert.deepStrictEqual(unnamed(within), unnamed(whole))
  } finally {
    await server.stop()
    receiver.close()
    await issuer.close()
    await drop()
  }
})
