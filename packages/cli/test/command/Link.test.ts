/** Links that commands print: they lead to the server that answers. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, serve, type Server } from "../Freehold.ts"
import { orgId, sampleDatabase } from "../Sample.ts"

let env: Environment
let drop: () => Promise<void>
let server: Server
let port: string

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  server = await serve(["--no-worker"], env)
  ;({ port } = new URL(server.url))
})

afterAll(async () => {
  await server.stop()
  await drop()
})

const commands: ReadonlyArray<readonly [name: string, signIn: string, args: ReadonlyArray<string>]> = [
  ["member link", "/console/sign-in", ["member", "link", "--org", orgId, "--email", "ana@sample.example"]],
  ["operator link", "/console/operator/sign-in", ["operator", "link"]]
]

/** A port at which nothing listens. */
const unused = async (): Promise<string> => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const { port } = taken.address() as AddressInfo
  taken.close()
  await once(taken, "close")
  return String(port)
}

describe.each(commands)("freehold %s", (_, signIn, args) => {
  it("leads to the port of serve --port, and signs in there", async () => {
    const { code, stderr, stdout } = await run([...args, "--port", port, "--json"], env)
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(stderr, "")
    const { hash, origin } = new URL(JSON.parse(stdout).url)
    assert.strictEqual(origin, new URL(server.url).origin)
    const { status } = await fetch(`${origin}${signIn}`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ link: hash.slice(1) })
    })
    assert.strictEqual(status, 200)
  })

  it("follows PORT, and says so where nothing answers there", async () => {
    const told = await run([...args, "--json"], { ...env, PORT: port })
    assert.strictEqual(new URL(JSON.parse(told.stdout).url).port, port)
    assert.strictEqual(told.stderr, "")

    const nobody = await unused()
    const silent = await run([...args, "--json"], { ...env, PORT: nobody })
    assert.strictEqual(silent.code, 0)
    assert.strictEqual(new URL(JSON.parse(silent.stdout).url).port, nobody)
    assert.match(silent.stderr, new RegExp(`^nothing answers at http://127\\.0\\.0\\.1:${nobody} now; .*--port`))
  })

  it("has no port beside the address that people dial", async () => {
    const given = { ...env, FREEHOLD_PUBLIC_URL: "https://homes.example" }
    const refused = await run([...args, "--port", port], given)
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /^freehold: --port: FREEHOLD_PUBLIC_URL is set/)
    const { stderr, stdout } = await run([...args, "--json"], given)
    assert.strictEqual(new URL(JSON.parse(stdout).url).origin, "https://homes.example")
    assert.strictEqual(stderr, "")
  })
})

it("freehold operator link has no port beside an area that is elsewhere", async () => {
  const given = { ...env, FREEHOLD_OPERATOR_CONSOLE: "https://operator.example" }
  const refused = await run(["operator", "link", "--port", port], given)
  assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
  assert.match(refused.stderr, /^freehold: --port: FREEHOLD_OPERATOR_CONSOLE says /)
  const { code, stdout } = await run(["operator", "link", "--json"], given)
  assert.deepStrictEqual([code, new URL(JSON.parse(stdout).url).origin], [0, "https://operator.example"])
  const same = await run(["operator", "link", "--port", port, "--json"], {
    ...env,
    FREEHOLD_OPERATOR_CONSOLE: new URL(server.url).origin
  })
  assert.deepStrictEqual([same.code, new URL(JSON.parse(same.stdout).url).port], [0, port])
})

it("writes down that links were made for the operator's people, and who signed in by one", async () => {
  const told = ["--name", "Sam Sample", "--as", "bo", "--reason", "on call", "--port", port, "--json"]
  const { stdout } = await run(["operator", "link", ...told], env)
  const { hash, origin } = new URL(JSON.parse(stdout).url)
  await fetch(`${origin}/console/operator/sign-in`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ link: hash.slice(1) })
  })
  const log = await run(["log", "--limit", "2", "--json"], env)
  assert.containSubset(JSON.parse(log.stdout).items, [
    { action: "operator.signed_in", actor: "Sam Sample", subject: "Sam Sample", org_id: null },
    { action: "operator.link_issued", actor: "bo", subject: "Sam Sample", reason: "on call", org_id: null }
  ])
  assert.notInclude(log.stdout, hash.slice(1))
})
