/** Bodies and bearers that cost more to refuse than to send. */
import { createHash, randomBytes } from "node:crypto"
import type { Attack, Force } from "../Attack.ts"
import { flood, post, read, rpc, tool } from "../Request.ts"

/** As much as a body may be. */
const mebibyte = 2 ** 20

/** Values one after another, up to a mebibyte. */
const filledWith = (value: string): string => {
  const count = Math.trunc((mebibyte - 200) / (value.length + 1))
  return `[${new Array<string>(count).fill(value).join(",")}]`
}

const nested = filledWith(`${"[".repeat(97)}${"]".repeat(97)}`)
const deep = `${"[".repeat(mebibyte / 2 - 100)}${"]".repeat(mebibyte / 2 - 100)}`
const numbers = filledWith("1")
const objects = filledWith("{\"a\":{}}")
const names = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n.toString(36)}":0`).join(",")}}`

const bodies = {
  nested: `{"filters":${nested}}`,
  deep: `{"filters":${deep}}`,
  numbers: `{"filters":{"zipCodes":${numbers}}}`,
  objects: `{"filters":{"within":{"type":"Polygon","coordinates":${objects}}}}`,
  names: `{"filters":${names}}`,
  name: `{"${"é".repeat(mebibyte / 2 - 100)}":0}`,
  // As many values as a body may hold, each of them nearly a name of something.
  columns: JSON.stringify({
    query: "main",
    fields: Array.from({ length: 9900 }, (_, n) => `buildingFootprintSquareFeet${n}`)
  })
}

/** As many values as a body may hold, each of them in the wrong form. */
const faulty = { filters: { zipCodes: new Array<number>(9900).fill(1) } }

/** As many as are all looked for. */
const allLookedFor = { filters: { zipCodes: new Array<number>(1990).fill(1) } }

/** As many as are all tried in other forms. */
const allMended = { filters: { zipCodes: new Array<number>(95).fill(1) } }

/** Few at once: a mebibyte each. */
const atOnce = 20

/** Bodies are large: a tenth of the requests of a flood. */
const fewer = (force: Force): Force => ({ ...force, requests: Math.ceil(force.requests / 10) })

const withKey = (name: string, body: string): Attack => ({
  name,
  by: "organization",
  meets: "400",
  run: (force) => flood(fewer(force), () => post("/properties/search", body), atOnce)
})

const withoutKey = (name: string, body: string): Attack => ({
  name,
  by: "nobody",
  meets: "401",
  run: (force) => flood(fewer(force), (n) => post(n % 2 === 0 ? "/properties/search" : "/mcp", body), atOnce)
})

const publicPages = [
  "/docs",
  "/v1/openapi.json",
  "/.well-known/oauth-protected-resource/v1/mcp",
  `/nowhere/${"x".repeat(4000)}`,
  // What is encoded twice is copied for each percent sign.
  `/nowhere/${"%25".repeat(1300)}`,
  `/nowhere/${"%25".repeat(5000)}`
]

/** Nearly all that headers may be together. */
const longest = 15_000

const ofLength = (piece: string): string => piece.repeat(Math.ceil(longest / piece.length)).slice(0, longest)

/** Headers of what their readers look for, never with its end. */
const sought: ReadonlyArray<Readonly<Record<string, string>>> = [
  { authorization: `Bearer${ofLength(" ")}a b` },
  { authorization: `Bearer ${ofLength("a.")}` },
  { authorization: `Bearer fhk_${ofLength("a-")}` },
  { cookie: ofLength("freehold-1=a; ") },
  { cookie: ofLength("a=\"%;") },
  { "x-forwarded-for": ofLength("127.0.0.1, ") },
  { accept: ofLength("text/html;q=0.0, ") },
  { "accept-encoding": ofLength("gzip ; q=0.") },
  { "if-none-match": ofLength("W/\"a\", ") },
  { "content-type": `application/json;${ofLength(" charset=")}` },
  { "idempotency-key": `"${ofLength("\"a")}` },
  { traceparent: ofLength("00-") },
  { origin: ofLength("https://") }
]

/** A key that nobody has. */
const unknownKey = () => `fhk_${randomBytes(33).toString("base64url").slice(0, 43)}`

/** A token in the right form, with a signature of nobody. */
const forged = (n: number): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const header = part({ alg: n % 2 === 0 ? "ES256" : "RS256", kid: `unknown-${n}` })
  const claims = part({ iss: "https://nobody.example", sub: `nobody-${n}`, exp: 4_102_444_800 })
  return `${header}.${claims}.${createHash("sha512").update(String(n)).digest("base64url")}`
}

export const attacks: ReadonlyArray<Attack> = [
  withoutKey("nested bodies", bodies.nested),
  withKey("nested bodies, with a key", bodies.nested),
  withKey("one body nested to the bottom", bodies.deep),
  withKey("arrays of half a million numbers", bodies.numbers),
  withKey("arrays of a hundred thousand objects", bodies.objects),
  withKey("objects of 80,000 names", bodies.names),
  withKey("one name of a mebibyte", bodies.name),
  withKey("columns that do not exist", bodies.columns),
  {
    name: "nested arguments of a tool",
    by: "organization",
    meets: "400",
    run: (force) =>
      flood(
        fewer(force),
        () => post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${nested}}`),
        atOnce
      )
  },
  {
    name: "ten thousand faults of a tool",
    by: "organization",
    meets: "200",
    run: (force) => flood(fewer(force), () => tool("service_search_properties", faulty), atOnce)
  },
  {
    name: "two thousand faults of a tool",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, () => tool("service_search_properties", allLookedFor), atOnce)
  },
  {
    name: "faults of a tool that are all tried in other forms",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, () => tool("service_search_properties", allMended), atOnce)
  },
  {
    name: "batches of JSON-RPC",
    by: "organization",
    meets: "400",
    run: (force) =>
      flood(
        fewer(force),
        () => post("/mcp", filledWith(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }))),
        atOnce
      )
  },
  {
    name: "pages that need no key",
    by: "nobody",
    meets: "200",
    run: (force) => flood(force, (n) => ({ method: "GET", path: publicPages[n % publicPages.length] ?? "/docs" }))
  },
  {
    name: "long headers of what is looked for in them",
    by: "nobody",
    meets: "401",
    run: (force) =>
      flood(force, (n) => ({
        ...read(n % 2 === 0 ? "/me" : "/leads"),
        headers: sought[n % sought.length] ?? {}
      }))
  },
  {
    name: "keys that do not exist",
    by: "nobody",
    meets: "401",
    run: (force) => flood(force, () => ({ ...read("/me"), headers: { authorization: `Bearer ${unknownKey()}` } }))
  },
  {
    name: "tokens that do not verify",
    by: "nobody",
    meets: "401",
    run: (force) =>
      flood(force, (n) => {
        const request = rpc("tools/list", {})
        return { ...request, headers: { ...request.headers, authorization: `Bearer ${forged(n)}` } }
      })
  },
  {
    name: "the list of tools",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, () => rpc("tools/list", {}))
  },
  {
    name: "answers of tools that are cut",
    by: "organization",
    meets: "200",
    run: (force) => flood(force, () => tool("service_lookup", { kind: "counties" }))
  },
  {
    name: "300 assistants of one member",
    by: "member",
    meets: "200",
    run: (force) => flood(force, () => rpc("tools/list", {}))
  }
]
