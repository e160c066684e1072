/**
 * People who sign in, from outside: a real authorization server, `freehold serve`, and assistants that speak MCP.
 *
 * All data is made up.
 */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"
import { type Account, furtherAssistants, type Issuer, startIssuer } from "./Issuer.ts"
import { ndjson } from "./Sample.ts"
import type { Told } from "./Told.ts"

const [near, far] = ["53903", "53905"] as const
const secret = `fhk_${"k".repeat(43)}`

const member = (name: string, more: object = {}) => ({ email: `${name}@people.example`, name, ...more })

const organization = (org_id: string, more: object) => ({
  org_id,
  name: `${org_id} (made up)`,
  plan: "enterprise",
  serviceable_area: { county_fips: [near, far] },
  requests_per_minute: 100_000,
  ...more
})

const document = {
  organizations: [
    organization("org_main", {
      grants: [{ ref: "welcome", bucket: "included", amount: 1000 }],
      keys: [{ name: "sample", scopes: ["mcp", "data:read"], secret }],
      members: [
        member("ana", { role: "admin" }),
        member("ben", { monthly_credit_limit: 15 }),
        member("rita", { role: "read_only" }),
        member("sam", { seat: false }),
        member("tess", { territory: { county_fips: [far] } }),
        member("nora", { territory: { county_fips: ["99999"] } }),
        member("gone", { status: "removed" }),
        member("gil"),
        member("hugo"),
        member("flo"),
        // Whose address is never verified, and who has no assistant.
        member("una")
      ]
    }),
    organization("org_second", { members: [member("ana")] }),
    organization("org_admins", {
      member_connect: "admins",
      members: [member("max"), member("ada", { role: "admin" })]
    }),
    organization("org_closed", { status: "closed", members: [member("cleo")] }),
    organization("org_slow", { requests_per_minute: 1, members: [member("sid")] })
  ]
}

const properties = [
  ...["1", "2", "3"].map((number) => ({
    key: `${near}-${number}`,
    countyFips: near,
    address: `${number} Near Street`
  })),
  { key: `${far}-1`, countyFips: far, address: "1 Far Street" }
]

const research = properties.map(({ key }) => ({
  propertyKey: key,
  beneficialOwner: "Sample Holdings (made up)",
  researchedAt: "2026-06-01T00:00:00Z"
}))

/** Of the near place alone: none of this may reach a member whose territory is the far one. */
const nearby = { firm: "Nearby Holdings", person: "Nearby Person", address: "Near Street" }
const firms = [{
  key: "firm:near",
  name: nearby.firm,
  properties: [{ propertyKey: `${near}-1`, role: "owner", attributionType: "county_record" }]
}]
const contacts = [{
  key: "contact:near",
  fullName: nearby.person,
  title: "Nearby manager",
  employerName: nearby.firm,
  firmKey: "firm:near",
  email: "nearby@people.example",
  properties: [{ propertyKey: `${near}-1`, role: "executive", relationshipStatus: "current" }]
}]

describe("people who sign in", () => {
  let issuer: Issuer
  let server: Server
  let env: Environment
  let drop: () => Promise<void>

  beforeAll(async () => {
    issuer = await startIssuer(() => `${server.url}/mcp`)
    const database = await migratedDatabase()
    drop = database.drop
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      FREEHOLD_TRUSTED_PROXIES: "127.0.0.0/8",
      OAUTH_ISSUER: issuer.url,
      LOG_LEVEL: "none"
    }
    await runJson(["apply", "-"], env, JSON.stringify(document))
    const loads = [["properties", properties], ["research", research], ["firms", firms], [
      "contacts",
      contacts
    ]] as const
    for (const [kind, rows] of loads) {
      const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
      assert.strictEqual(code, 0, stderr)
    }
    server = await serve(["--no-worker"], env)
  })

  afterAll(async () => {
    await server.stop()
    await issuer.close()
    await drop()
  })

  const ask = async (method: string, path: string, token: string | null, body?: object, headers: object = {}) => {
    const response = await fetch(new URL(path, server.url), {
      method,
      headers: {
        ...token === null ? {} : { authorization: `Bearer ${token}` },
        "content-type": "application/json",
        ...headers
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const text = await response.text()
    return {
      status: response.status,
      challenge: response.headers.get("www-authenticate"),
      headers: response.headers,
      body: JSON.parse(text === "" ? "null" : text)
    }
  }

  const rpc = (token: string | null, method: string, params: object = {}, headers: object = {}) =>
    ask("POST", "/v1/mcp", token, { jsonrpc: "2.0", id: 1, method, params }, headers)

  /** What a tool answers: its result or its refusal. */
  const call = async (token: string, name: string, args: object = {}, headers: object = {}) => {
    const { body, status } = await rpc(token, "tools/call", { name, arguments: args }, headers)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.result.structuredContent
  }

  /** Why a call is not let in. */
  const refusal = async (token: string | null, headers: object = {}) => {
    const { body, challenge, status } = await rpc(token, "tools/list", {}, headers)
    return { status, code: body.code, meta: body.meta?.code, challenge }
  }

  /** A token of a person whom the authorization server knows by that account. */
  const signIn = (name: string, account: Account = {}, given: Parameters<Issuer["token"]>[1] = {}) => {
    issuer.know(`sub|${name}`, { email: `${name}@people.example`, email_verified: true, ...account })
    return issuer.token(`sub|${name}`, given)
  }

  const metadata = () => `${new URL(server.url).origin}/.well-known/oauth-protected-resource/v1/mcp`

  it("tells an assistant where to sign in", async () => {
    for (const path of ["/.well-known/oauth-protected-resource/v1/mcp", "/.well-known/oauth-protected-resource"]) {
      const { body, headers, status } = await ask("GET", path, null)
      assert.strictEqual(status, 200)
      assert.deepInclude(body, {
        resource: `${server.url}/mcp`,
        authorization_servers: [issuer.url],
        scopes_supported: ["mcp", "pipeline:transitions_full"],
        bearer_methods_supported: ["header"]
      })
      assert.strictEqual(headers.get("cache-control"), "public, max-age=3600")
    }
    assert.deepStrictEqual(await refusal(null), {
      status: 401,
      code: undefined,
      meta: undefined,
      challenge: `Bearer resource_metadata="${metadata()}", scope="mcp pipeline:transitions_full"`
    })
    assert.deepInclude(await refusal("fhk_nothing"), { status: 401, code: undefined })
  })

  it("INVALID_OAUTH_TOKEN: expired, for somebody else, of somebody else, or tampered with", async () => {
    const good = await signIn("ana")
    const other = await startIssuer(() => `${server.url}/mcp`)
    other.know("sub|ana", { email: "ana@people.example", email_verified: true })
    const bad = [
      await signIn("ana", {}, { seconds: -60 }),
      await signIn("ana", {}, { audience: "https://elsewhere.example/v1/mcp" }),
      await other.token("sub|ana"),
      `${good.slice(0, -6)}AAAAAA`
    ]
    await other.close()
    for (const token of bad) {
      assert.deepStrictEqual(await refusal(token), {
        status: 401,
        code: "INVALID_OAUTH_TOKEN",
        meta: "INVALID_OAUTH_TOKEN",
        challenge:
          `Bearer resource_metadata="${metadata()}", scope="mcp pipeline:transitions_full", error="invalid_token"`
      })
    }
  })

  it("NOT_A_MEMBER: nobody's address, one that is not verified, somebody who was removed, another organization", async () => {
    const strangers = [
      await signIn("nobody"),
      await signIn("una", { email_verified: false }),
      await signIn("gone")
    ]
    for (const token of strangers) assert.deepInclude(await refusal(token), { status: 403, code: "NOT_A_MEMBER" })
    const ben = await signIn("ben")
    assert.deepInclude(await refusal(ben, { "freehold-organization": "org_second" }), { code: "NOT_A_MEMBER" })
  })

  it("MEMBER_CONNECT_DISABLED: a member where admins alone may connect", async () => {
    assert.deepInclude(await refusal(await signIn("max")), { status: 403, code: "MEMBER_CONNECT_DISABLED" })
    assert.deepInclude(await refusal(await signIn("ada")), { status: 200 })
  })

  it("ACCOUNT_CLOSED: a closed organization is closed for its people too", async () => {
    assert.deepInclude(await refusal(await signIn("cleo")), { status: 403, code: "ACCOUNT_CLOSED" })
  })

  it("SCOPE_NOT_GRANTED: a token without the scope mcp", async () => {
    const { challenge, ...refused } = await refusal(await signIn("gil", {}, { scope: "openid" }))
    assert.deepInclude(refused, { status: 403, code: "SCOPE_NOT_GRANTED" })
    assert.include(challenge ?? "", "error=\"insufficient_scope\"")
    // What a key lacks an admin adds; this comes with the sign-in.
    const { body } = await rpc(await signIn("gil", {}, { scope: "openid" }), "tools/list")
    assert.deepStrictEqual(body.meta.next, { ask: "member" })
  })

  it("rate_limited: a connection is counted like a key", async () => {
    const sid = await signIn("sid")
    assert.deepInclude(await refusal(sid), { status: 200 })
    assert.deepInclude(await refusal(sid), { status: 429, code: "rate_limited" })
  })

  it("rate_limited: of a member's assistants ten may call in one minute, whatever number there is (R9)", async () => {
    const byAssistant = async (assistant: string) => rpc(await signIn("hugo", {}, { assistant }), "tools/list")
    for (const assistant of furtherAssistants.slice(0, 10)) {
      assert.strictEqual((await byAssistant(assistant)).status, 200)
    }
    for (const assistant of furtherAssistants.slice(10)) {
      const { body, headers, status } = await byAssistant(assistant)
      assert.deepStrictEqual([status, body.meta.code, body.meta.limit.name], [
        429,
        "rate_limited",
        "requests_per_minute"
      ])
      assert.isAtMost(Number(headers.get("retry-after")), 60)
    }
    assert.strictEqual((await byAssistant(furtherAssistants[3] ?? "")).status, 200)
    assert.deepInclude(await refusal(await signIn("ben")), { status: 200 })
    const { items } = await runJson(["member", "list", "--org", "org_main"], env) as Told
    assert.lengthOf(items.find(({ email }) => email === "hugo@people.example")?.grants ?? [], 10)
  })

  it("ACTING_USER_NOT_SUPPORTED: REST takes keys alone", async () => {
    const token = await signIn("ana")
    for (const path of [`/v1/properties/${near}-1`, "/v1/account", "/v1/me"]) {
      const { body, status } = await ask("GET", path, token)
      assert.deepInclude({ status, code: body.code }, { status: 403, code: "ACTING_USER_NOT_SUPPORTED" })
    }
    assert.strictEqual((await ask("GET", `/v1/properties/${near}-1/detail`, secret)).status, 200)
  })

  it("NO_ACTIVE_SEAT: a member without a seat has no tools", async () => {
    const sam = await signIn("sam")
    assert.isEmpty((await rpc(sam, "tools/list")).body.result.tools)
    assert.deepInclude(await call(sam, "service_describe_workspace"), { code: "NO_ACTIVE_SEAT" })
  })

  it("a person writes notes and keeps searches, which a key is not offered", async () => {
    const [ana, ben] = [await signIn("ana"), await signIn("ben")]
    const names = async (token: string) =>
      (await rpc(token, "tools/list")).body.result.tools.map(({ name }: { readonly name: string }) => name)
    const personal = ["service_add_note", "service_save_search", "service_delete_saved_search"]
    assert.includeMembers(await names(ana), personal)
    const offered = await names(secret)
    for (const name of personal) {
      assert.notInclude(offered, name)
      assert.deepInclude(await call(secret, name), { code: "ACTING_USER_REQUIRED" })
    }

    const { results: [place] } = await call(ana, "service_search_properties", { filters: { countyFips: [near] } })
    const note = await call(ana, "service_add_note", { property_id: place.id, content: "Made-up note." })
    assert.deepInclude(note, { author: "ana", content: "Made-up note.", user_content: true })
    const { notes: [newest] } = await call(secret, "service_list_notes", { property_id: place.id })
    assert.deepStrictEqual(newest, note)

    const search = { filters: { countyFips: [near] } }
    const { saved_search: saved } = await call(ana, "service_save_search", { name: "Near", search })
    const id = { saved_search_id: saved.id }
    assert.deepInclude(await call(ana, "service_save_search", { name: "near", search }), { code: "NAME_IN_USE" })
    assert.strictEqual((await call(ana, "service_run_saved_search", { ...id, limit: 1 })).results.length, 1)
    for (const name of ["service_run_saved_search", "service_delete_saved_search"]) {
      assert.deepInclude(await call(ben, name, id), { code: "NOT_FOUND" })
    }
    assert.deepInclude(await call(ana, "service_delete_saved_search", id), { deleted: true })
    assert.strictEqual((await call(ana, "service_list_saved_searches")).total, 0)
  })

  it("ROLE_NOT_PERMITTED: a read-only member reads, and is offered nothing else", async () => {
    const rita = await signIn("rita")
    const names = (await rpc(rita, "tools/list")).body.result.tools.map(({ name }: { readonly name: string }) => name)
    assert.include(names, "service_search_properties")
    assert.notInclude(names, "service_reveal_property")
    assert.notInclude(names, "service_get_lead_bundle")
    assert.deepInclude(await call(rita, "service_reveal_property", { id: `${near}-1` }), { code: "ROLE_NOT_PERMITTED" })
    const workspace = await call(rita, "service_describe_workspace")
    assert.deepInclude(workspace.credential, { kind: "person", role: "read_only", scopes: ["mcp"] })
    assert.include(
      workspace.tools_unavailable.map(({ code }: { readonly code: string }) => code),
      "ROLE_NOT_PERMITTED"
    )
  })

  it("ACTING_USER_REQUIRED: a note needs a person, who is its author", async () => {
    const [{ id } = { id: "" }] = (await call(secret, "service_search_properties", { query: "1 near" })).results
    const note = { property_id: id, content: "Sample note" }
    assert.deepInclude(await call(secret, "service_add_note", note), { code: "ACTING_USER_REQUIRED" })
    assert.deepInclude(await call(await signIn("ana"), "service_add_note", note), { author: "ana" })
    assert.deepInclude(await call(await signIn("rita"), "service_add_note", note), { code: "ROLE_NOT_PERMITTED" })
    assert.deepInclude(await call(await signIn("tess"), "service_list_notes", { property_id: id }), {
      code: "OUT_OF_TERRITORY"
    })
  })

  it("OUT_OF_TERRITORY: a member sees their own counties, in reads and in searches", async () => {
    const tess = await signIn("tess")
    assert.deepInclude(await call(tess, "service_get_property", { id: `${near}-1` }), {
      code: "OUT_OF_TERRITORY",
      reason: "territory"
    })
    assert.deepInclude(await call(tess, "service_reveal_property", { id: `${near}-1` }), { code: "OUT_OF_TERRITORY" })
    const found = await call(tess, "service_search_properties", { filters: { countyFips: [near, far] } })
    assert.strictEqual(found.total_matching, 1)
    assert.deepStrictEqual(found.searched_scope.countyCount, 1)
    assert.strictEqual((await call(tess, "service_search_properties", { query: "near" })).results.length, 0)
  })

  it("shows a member nothing of other places, whatever the tool", async () => {
    const ana = await signIn("ana")
    const tess = await signIn("tess")
    const [place] = (await call(ana, "service_search_properties", { query: "1 near" })).results
    const [person] = (await call(ana, "service_find_contacts", { query: "nearby" })).contacts
    const [firm] = (await call(ana, "service_browse_organizations", { query: "nearby" })).organizations
    const made = await call(ana, "service_create_list", { list_name: "Sample", list_type: "properties" })
    const list_id = made.list.id
    await call(ana, "service_add_to_list", { list_id, item_ids: [place.id] })
    await call(ana, "service_qualify_lead", { property_id: place.id, deal_value: 5000 })
    const reads: ReadonlyArray<readonly [string, object]> = [
      ["service_search_properties", { query: "nearby" }],
      ["service_search_properties", { filters: { countyFips: [near] } }],
      ["service_search_properties", { filters: { countyFips: [far], organizationId: firm.organization_id } }],
      ["service_get_property", { id: place.id }],
      ["service_find_contacts", { query: "nearby" }],
      ["service_browse_contacts", { countyFips: [near] }],
      ["service_browse_contacts", {}],
      ["service_get_contact", { id: person.id }],
      ["service_get_contact_relationships", { id: person.id }],
      ["service_reveal_contact", { id: person.id }],
      ["service_browse_organizations", { query: "nearby" }],
      ["service_browse_organizations", {}],
      ["service_get_organization", { id: firm.organization_id }],
      ["service_get_organization_properties", { id: firm.organization_id }],
      ["service_list_leads", {}],
      ["service_get_lead_bundle", { property_id: place.id }],
      ["service_get_pipeline", {}],
      ["service_list_events", {}],
      ["service_get_list_items", { list_id }],
      ["service_list_notes", { property_id: place.id }],
      ["service_get_changes", {}],
      ["service_disqualify_lead", { property_id: place.id, reason_code: "not_a_fit" }]
    ]
    const told = (token: string) =>
      Promise.all(reads.map(async ([name, args]) => `${name} ${JSON.stringify(await call(token, name, args))}`))
    const shown = [place.id, person.id, firm.organization_id, ...Object.values(nearby)]
    const leaks = (await told(tess)).filter((answer) => shown.some((secret) => answer.includes(secret)))
    assert.deepStrictEqual(leaks, [])
    const whole = (await told(ana)).join("\n")
    for (const fact of shown) assert.include(whole, fact)
  })

  it("NO_VISIBLE_TERRITORY: a territory outside of the organization's area shows nothing", async () => {
    const nora = await signIn("nora")
    assert.deepInclude(await call(nora, "service_search_properties", { query: "street" }), {
      code: "NO_VISIBLE_TERRITORY",
      cause: "member_territory_empty"
    })
  })

  it("USER_CREDIT_LIMIT_EXCEEDED: a member's own month, with the member in the ledger", async () => {
    const ben = await signIn("ben")
    assert.deepInclude(await call(ben, "service_reveal_property", { id: `${near}-2` }), { creditsCharged: 10 })
    const refused = await call(ben, "service_reveal_property", { id: `${near}-3` })
    assert.deepInclude(refused, { code: "USER_CREDIT_LIMIT_EXCEEDED", required: 10, available: 5, limit: 15 })
    const ledger = await runJson(["credits", "ledger", "--org", "org_main"], env) as Told
    assert.deepInclude(ledger.entries.at(-1)?.actor, { kind: "member", name: "ben" })
    const entry = String(ledger.entries.at(-1)?.entry)
    await runJson(["credits", "refund", "--org", "org_main", "--entry", entry, "--reason", "sample"], env)
    assert.deepInclude(await call(ben, "service_reveal_property", { id: `${near}-3` }), { creditsCharged: 10 })
  })

  it("GRANT_REVOKED: stays revoked after signing in again, until an administrator clears it", async () => {
    const gil = ["--org", "org_main", "--email", "GIL@people.example"]
    assert.deepInclude(await refusal(await signIn("gil")), { status: 200 })
    const revoked = await runJson(["member", "revoke-grant", ...gil], env) as Told
    assert.deepInclude(revoked.items[0], { client_id: issuer.clientId, status: "revoked" })
    for (const _ of [1, 2]) {
      assert.deepInclude(await refusal(await signIn("gil")), { status: 403, code: "GRANT_REVOKED" })
    }
    const { items } = await runJson(["member", "list", "--org", "org_main"], env) as Told
    const listed = items.find(({ email }) => email === "gil@people.example")
    assert.deepStrictEqual(listed?.grants.map(({ client_id, status }) => [client_id, status]), [[
      issuer.clientId,
      "revoked"
    ]])
    const again = await runJson(["member", "revoke-grant", ...gil], env) as Told
    assert.deepStrictEqual(again, revoked, "shown, and not written down: it changed nothing")
    const cleared = ["member", "clear-grant", ...gil, "--client", issuer.clientId]
    for (const _ of [1, 2]) await runJson(cleared, env)
    assert.deepInclude(await refusal(await signIn("gil")), { status: 200 })
    const log = await runJson(["log", "--org", "org_main"], env) as Told
    assert.deepStrictEqual(
      log.items.map(({ action }) => String(action)).filter((action) => action.startsWith("member.connections_")),
      ["member.connections_cleared", "member.connections_revoked"]
    )
  })

  it("refuses to revoke what is not there", async () => {
    const nobody = await run(["member", "revoke-grant", "--org", "org_main", "--email", "nobody@people.example"], env)
    assert.deepInclude(nobody, { code: 1, stderr: "freehold: org_main has no member nobody@people.example\n" })
    const never = await run(["member", "clear-grant", "--org", "org_main", "--email", "una@people.example"], env)
    assert.deepInclude(never, { code: 1, stderr: "freehold: una@people.example has no assistant connection\n" })
  })

  it("takes a person of several organizations into the one that they or their token name", async () => {
    const orgOf = async (token: string, headers: object = {}) =>
      (await call(token, "service_describe_workspace", {}, headers)).organization.org_id
    const ana = await signIn("ana")
    assert.strictEqual(await orgOf(ana), "org_main")
    assert.strictEqual(await orgOf(ana, { "freehold-organization": "org_second" }), "org_second")
    const second = await signIn("ana", { org_id: "org_second" })
    assert.strictEqual(await orgOf(second), "org_second")
    assert.deepInclude(await refusal(second, { "freehold-organization": "org_main" }), { code: "NOT_A_MEMBER" })
    const unreadable = await signIn("ana", { org_id: ["org_second"] })
    assert.deepInclude(await refusal(unreadable), { status: 401, code: "INVALID_OAUTH_TOKEN" })
  })

  it("is examined by the doctor", async () => {
    const signInOf = async (OAUTH_ISSUER: string) => {
      const { stdout } = await run(["doctor", "--json"], { ...env, OAUTH_ISSUER })
      const { checks }: { readonly checks: ReadonlyArray<{ readonly check: string; readonly outcome: string }> } = JSON
        .parse(stdout)
      return checks.at(-1)
    }
    assert.deepInclude(await signInOf(issuer.url), { check: "sign-in", outcome: "ok" })
    assert.deepInclude(await signInOf(`${issuer.url}/`), { check: "sign-in", outcome: "fault" })
  })

  it("lets a real client discover, register, sign in and call", async () => {
    issuer.know("sub|flo", { email: "flo@people.example", email_verified: true })
    issuer.next = "sub|flo"
    const callback = "http://127.0.0.1/callback"
    let back = new URLSearchParams()
    const kept = new Map<string, unknown>()
    const authProvider: NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>["authProvider"] = {
      redirectUrl: callback,
      clientMetadata: {
        client_name: "Sample assistant",
        redirect_uris: [callback],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "none"
      },
      clientInformation: () => kept.get("client") as undefined,
      saveClientInformation: (client) => void kept.set("client", client),
      tokens: () => kept.get("tokens") as undefined,
      saveTokens: (tokens) => void kept.set("tokens", tokens),
      saveCodeVerifier: (verifier) => void kept.set("verifier", verifier),
      codeVerifier: () => String(kept.get("verifier")),
      saveDiscoveryState: (state) => void kept.set("discovery", state),
      discoveryState: () => kept.get("discovery") as undefined,
      redirectToAuthorization: async (url) => {
        back = await followSignIn(url, callback)
      }
    }
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider })
      const client = new Client({ name: "sample", version: "1.0.0" })
      return { client, transport, connected: client.connect(transport) }
    }
    const first = await connect()
    await first.connected.then(() => assert.fail("not signed in yet"), (error) => {
      assert.instanceOf(error, UnauthorizedError)
    })
    await first.transport.finishAuth(back)
    const second = await connect()
    await second.connected
    const { structuredContent } = await second.client.callTool({ name: "service_describe_workspace", arguments: {} })
    assert.deepNestedInclude(structuredContent, { "organization.org_id": "org_main", "credential.kind": "person" })
    await second.client.close()
  })
})

/** A browser without pages: follows redirects with its cookies until it is sent back, and answers with what. */
const followSignIn = async (start: URL, callback: string): Promise<URLSearchParams> => {
  const cookies = new Map<string, string>()
  let url = start
  for (let hops = 0; hops < 10; hops++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";")
      const [name = "", ...value] = pair.split("=")
      cookies.set(name, value.join("="))
    }
    const location = response.headers.get("location")
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(callback)) return url.searchParams
  }
  throw new Error("too many redirects")
}
