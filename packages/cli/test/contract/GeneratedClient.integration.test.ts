/**
 * A client that a public generator makes of the served document: it compiles under strict types, and works.
 *
 * All data is made up.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "vitest"
import { serve, type Server } from "../Freehold.ts"
import { properties, sampleDatabase, secret } from "../Sample.ts"

const run = promisify(execFile)

/** What a user of the generator writes: calls, and what they use of the answers. */
const program = `
import createClient from "openapi-fetch"
import type { paths } from "./contract"

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${apiKey}\` } })

const search = await client.POST("/properties/search", {
  body: { filters: { countyFips: ["53903"] }, sortBy: "address", limit: 1 }
})
const address: string | null | undefined = search.data?.data.results[0]?.address

const id = "${properties[0]?.key}"
const unlock = await client.POST("/properties/{id}/unlock", { params: { path: { id } } })
const charged: number | undefined = unlock.data?.data.creditsCharged

const feed = await client.GET("/leads", { params: { query: { limit: 10 } } })
const more: boolean | undefined = feed.data?.data.has_more

const nowhere = await client.GET("/properties/{id}", { params: { path: { id: "nowhere" } } })
const failure = nowhere.error
const code = failure !== undefined && "meta" in failure && failure.meta !== undefined && "code" in failure.meta
  ? failure.meta.code
  : null

// @ts-expect-error: a number
const wrong: Parameters<typeof client.POST<"/properties/search">>[1] = { body: { limit: "many" } }

console.log(JSON.stringify({ address, charged, more, code, status: nowhere.response.status }))
`

const settings = {
  compilerOptions: {
    target: "ES2024",
    module: "ESNext",
    moduleResolution: "Bundler",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
    outDir: "out"
  },
  files: ["main.mts"]
}

/** A program of an installed package. */
const binary = (name: string, path: string) => {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve(`${name}/package.json`)), path)
}

let server: Server
let drop: () => Promise<void>
let folder: string

beforeAll(async () => {
  const database = await sampleDatabase()
  drop = database.drop
  server = await serve([], database.env)
  // Below this package, so that what is installed for it is found.
  folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.generated-client-"))
})

afterAll(async () => {
  await server.stop()
  await drop()
  rmSync(folder, { recursive: true })
})

it("openapi-typescript and openapi-fetch make a client that compiles and works", async () => {
  const response = await fetch(`${server.url}/openapi.json`)
  writeFileSync(join(folder, "openapi.json"), await response.text())
  writeFileSync(join(folder, "main.mts"), program)
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
  const node = (...args: ReadonlyArray<string>) => run(process.execPath, args, { cwd: folder })
  await node(binary("openapi-typescript", "bin/cli.js"), "openapi.json", "--output", "contract.ts")
  await node(binary("typescript", "bin/tsc"), "--project", ".").catch((fault) => assert.fail(fault.stdout))
  const { stdout } = await node("out/main.mjs", server.url, secret)
  assert.deepStrictEqual(JSON.parse(stdout), {
    address: properties[0]?.address,
    charged: 10,
    more: false,
    code: "NOT_FOUND",
    status: 404
  })
})
