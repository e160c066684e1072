/**
 * Adding an operation touches its subject, the catalogue and one line for each host, and the test that asks every operation
 * about a place beyond a member's territory: an operation is added in a copy of the sources, which then compile, and both
 * hosts offer it.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { copySources, type Edit, edit } from "../../SourceCopy.ts"

const root = join(import.meta.dirname, "../../..")

const operations = "packages/core/src/event/EventOperations.ts"
const reader = "packages/core/src/event/EventReader.ts"
const catalogue = "packages/core/src/catalogue/Catalogue.ts"
const routes = "packages/http-host/src/Routes.ts"
const tools = "packages/mcp-host/src/Tools.ts"
const closedPlace = "packages/core/src/testing/ClosedPlace.ts"

/** GET /events/count, and its tool. */
const edits: ReadonlyArray<Edit> = [
  {
    file: operations,
    find: "/** GET /events. */",
    replace: `/** GET /events/count. */
export const CountEvents = Operation.make("service_count_events", {
  title: "Count events",
  description: "Free. How many events there were in the last 30 days.",
  input: Schema.Struct({}),
  output: Schema.Struct({ total: Schema.Int }),
  refusals: [],
  access: { scope: "events:read", plan: "team" },
  effect: "read"
})

/** GET /events. */`
  },
  {
    file: reader,
    find: "import type { ListEvents }",
    replace: "import type { CountEvents, ListEvents }"
  },
  {
    file: reader,
    find: "  return { list }",
    replace: `  const count: HandlerOf<typeof CountEvents> = () =>
    Effect.map(Effect.catchTag(list({}), "INVALID_CURSOR", Effect.die), ({ total }) => ({ total }))

  return { count, list }`
  },
  { file: catalogue, find: "import { ListEvents }", replace: "import { CountEvents, ListEvents }" },
  { file: catalogue, find: "  ListEvents,\n", replace: "  ListEvents,\n  CountEvents,\n" },
  {
    file: catalogue,
    find: "        [ListEvents.name]:",
    replace: "        [CountEvents.name]: bind(CountEvents, events.count),\n        [ListEvents.name]:"
  },
  { file: routes, find: "import { ListEvents }", replace: "import { CountEvents, ListEvents }" },
  {
    file: routes,
    find: "  route(ListEvents,",
    replace: "  route(CountEvents, \"GET\", \"/events/count\"),\n  route(ListEvents,"
  },
  { file: tools, find: "import { ListEvents }", replace: "import { CountEvents, ListEvents }" },
  { file: tools, find: "  make(ListEvents),", replace: "  make(ListEvents),\n  make(CountEvents)," },
  { file: closedPlace, find: "  service_lookup: [", replace: "  service_count_events: [{}],\n  service_lookup: [" }
]

/** What a caller of the changed hosts sees. */
const probe = `import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, layer as host, TestHost } from "./TestHost.ts"
import { tools } from "../../mcp-host/src/Tools.ts"

layer(host, { excludeTestServices: true })("REST", (it) => {
  it.effect("answers it", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const { body, status } = yield* call("GET", "/v1/events/count", { headers: bearer("rich") })
      assert.strictEqual(status, 200)
      assert.isNumber(body.data.total)
    }))
})

it("assistants are offered it", () => {
  assert.isTrue(tools.some(({ published }) => published.name === "service_count_events"))
})
`

let folder = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "freehold-operation-"))
  copySources(folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...words: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) =>
    execFile(process.execPath, words, { cwd: folder }, (error, stdout) => resolve(error === null ? "" : stdout))
  )

it("adding an operation touches its subject, the catalogue, a line of each host and one of a test, and nothing else", async () => {
  for (const each of edits) edit(folder, "the added operation", each)
  writeFileSync(join(folder, "packages/http-host/test/Added.test.ts"), probe)
  const types = await run(
    join(root, "node_modules/typescript/bin/tsc"),
    "-b",
    "packages/http-host",
    "packages/mcp-host"
  )
  assert.strictEqual(types, "")
  const tests = await run(
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--maxWorkers=1",
    "packages/http-host/test/Added.test.ts"
  )
  assert.strictEqual(tests, "")
  assert.deepStrictEqual(
    [...new Set(edits.map(({ file }) => file))],
    [operations, reader, catalogue, routes, tools, closedPlace]
  )
})
