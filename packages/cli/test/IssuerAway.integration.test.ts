/**
 * People who sign in while the authorization server is away, from outside: nobody can tell who they are.
 *
 * All data is made up.
 */
import { assert, test } from "vitest"
import { runJson, serve, type Server } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"
import { startIssuer } from "./Issuer.ts"

const email = "ana@people.example"
const secret = `fhk_${"k".repeat(43)}`

const organization = {
  org_id: "org_main",
  name: "org_main (made up)",
  plan: "team",
  keys: [{ name: "sample", scopes: ["mcp", "data:read"], secret }],
  members: [{ email, name: "Ana" }]
}

test("IDENTITY_UNRESOLVED with Retry-After while the issuer's keys were never read; keys of our own are let in", async () => {
  let server: Server | undefined
  const issuer = await startIssuer(() => "http://127.0.0.1/v1/mcp")
  issuer.know(email, { email, email_verified: true })
  const token = await issuer.token(email)
  // Before the start, which reads them.
  await issuer.close()
  const { drop, url } = await migratedDatabase()
  const env = {
    DATABASE_URL: url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    OAUTH_ISSUER: issuer.url,
    LOG_LEVEL: "none"
  }
  try {
    await runJson(["apply", "-"], env, JSON.stringify({ organizations: [organization] }))
    server = await serve(["--no-worker"], env)
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
    const get = (bearer: string) => ({ headers: { authorization: `Bearer ${bearer}` } })
    const post = {
      method: "POST",
      headers: { ...get(token).headers, "content-type": "application/json" },
      body: JSON.stringify(ping)
    }
    for (const [path, init] of [["/me", get(token)], ["/mcp", post]] as const) {
      const refused = await fetch(`${server.url}${path}`, init)
      assert.strictEqual(refused.status, 503, path)
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/, path)
      assert.containSubset(await refused.json(), { success: false, code: "IDENTITY_UNRESOLVED" }, path)
    }
    assert.strictEqual((await fetch(`${server.url}/me`, get(secret))).status, 200)
  } finally {
    await server?.stop()
    await drop()
  }
})
