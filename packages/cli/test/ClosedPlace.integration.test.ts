/**
 * What a member who signed in is told of a place beyond their territory, by every tool of a running server over PostgreSQL, and
 * what a webhook says of their leads: nothing.
 */
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { operations } from "@freehold/core/catalogue/Catalogue"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import { Seeder } from "@freehold/core/testing/Seed"
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

const { members, orgId, unread } = ClosedPlace

/** Nobody takes up the research of what nobody has read beyond the territory, so that it does not end. */
const heldBack = (sql: SqlClient.SqlClient) =>
  Effect.andThen(
    sql`CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.due_at := NEW.due_at + interval '1 day'; RETURN NEW; END $$`,
    sql`CREATE TRIGGER hold_back BEFORE INSERT ON research_item FOR EACH ROW
      WHEN (NEW.subject_id = '${sql.literal(unread.far)}') EXECUTE FUNCTION hold_back()`
  )

test("no tool tells a member of a place beyond their territory, and each is asked", async () => {
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
    administer(Redacted.make(url), (sql) =>
      Seeder.use((seeder) => seeder.add(ClosedPlace.seed)).pipe(
        Effect.provide(SeederPg.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))),
        Effect.andThen(heldBack(sql))
      ))
  )
  const grant = ["--bucket", "included", "--amount", "1000", "--ref", "welcome"]
  await runJson(["credits", "grant", "--org", orgId, ...grant], env)
  const server = await serve([], env)

  const asking = async (member: (typeof members)[keyof typeof members]): Promise<ClosedPlace.Ask<never>> => {
    issuer.know(member.memberId, { email: member.email, email_verified: true })
    const token = await issuer.token(member.memberId)
    return (name, input) =>
      Effect.promise(async () => {
        const response = await fetch(`${server.url}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })
        })
        // Of any shape: what it has is what is asserted.
        const body: ReturnType<typeof JSON.parse> = await response.json()
        assert.isDefined(body.result, `${name} ${JSON.stringify(body)}`)
        return body.result.structuredContent
      })
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
  } finally {
    await server.stop()
    receiver.close()
    await issuer.close()
    await drop()
  }
})
