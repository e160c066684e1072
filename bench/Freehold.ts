/** The product as its user starts it: the `freehold` command of this repository. */
import { Effect, Redacted, type Scope } from "effect"
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Child from "./Child.ts"

const main = fileURLToPath(new URL("../packages/cli/src/main.ts", import.meta.url))

/** 32 bytes that protect nothing: the databases of a benchmark hold made-up data. */
const encryptionKey = Buffer.alloc(32, "bench").toString("base64")

/** Addresses that the load generator names are believed, so that its requests come from many. */
const settings = {
  FREEHOLD_ENCRYPTION_KEY: encryptionKey,
  FREEHOLD_TRUSTED_PROXIES: "127.0.0.1/32",
  LOG_LEVEL: "warn",
  PORT: "0"
}

type Environment = Readonly<Record<string, string>>

/** How a form of the product is started. */
export type Start = (args: ReadonlyArray<string>, env: Environment) => Child.Program

const startOf = (file: string): Start => (args, env) => ({
  command: process.execPath,
  args: [file, ...args],
  env: { ...settings, ...env }
})

/** From its sources. */
export const program = startOf(main)

const packageFolder = fileURLToPath(new URL("../packages/freehold", import.meta.url))

/** As it is published: the bundle, behind its look at the version of Node. Gone with the scope. */
export const published = Effect.gen(function*() {
  const { bundle } = yield* Effect.promise(() => import("../scripts/CommandBundle.ts"))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => {
      // What it looks for beside itself is found from there.
      const cache = join(packageFolder, "node_modules/.cache")
      mkdirSync(cache, { recursive: true })
      return mkdtempSync(join(cache, "bench-"))
    }),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  for (const name of ["bin", "package.json"]) cpSync(join(packageFolder, name), join(folder, name), { recursive: true })
  yield* Effect.promise(() => bundle(join(folder, "dist"), { isSmall: true }))
  return startOf(join(folder, "bin/freehold.cjs"))
})

/** Runs a command on a database to its end. */
export const run = (database: Redacted.Redacted, args: ReadonlyArray<string>, input?: string, start = program) =>
  Child.run(start(args, { DATABASE_URL: Redacted.value(database) }), input)

export interface Serving extends Child.Running {
  /** Below it are the paths of the API. */
  readonly root: string
}

/**
 * A server, from its start until the scope closes; answers when it accepts requests. `start`: in which form; as it is published
 * unless it is given. `worker`: it delivers too. `ownSession`: as of any program.
 */
export const serve = (
  env: Environment,
  { ownSession = false, start, worker = false }: {
    readonly start?: Start
    readonly worker?: boolean
    readonly ownSession?: boolean
  } = {}
): Effect.Effect<Serving, Child.ChildFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const startIt = start ?? (yield* published)
    const child = yield* Child.start({ ...startIt(worker ? ["serve"] : ["serve", "--no-worker"], env), ownSession })
    const [, root = ""] = yield* child.line(/listening on (http:\/\/\S+)/).pipe(
      Effect.timeoutOrElse({
        duration: "60 seconds",
        orElse: () => Effect.fail(new Child.ChildFailed({ program: "freehold serve", detail: "not ready in time" }))
      })
    )
    return { ...child, root }
  })
