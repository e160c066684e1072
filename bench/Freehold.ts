/** The product as its user starts it: the `freehold` command of this repository. */
import { Effect, Redacted, type Scope } from "effect"
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

export const program = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Child.Program => ({
  command: process.execPath,
  args: [main, ...args],
  env: { ...settings, ...env }
})

/** Runs a command on a database to its end. */
export const run = (database: Redacted.Redacted, args: ReadonlyArray<string>, input?: string) =>
  Child.run(program(args, { DATABASE_URL: Redacted.value(database) }), input)

export interface Serving extends Child.Running {
  /** Below it are the paths of the API. */
  readonly root: string
}

/** A server, from its start until the scope closes; answers when it accepts requests. `worker`: it delivers too. */
export const serve = (
  env: Readonly<Record<string, string>>,
  { worker = false } = {}
): Effect.Effect<Serving, Child.ChildFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Child.start(program(worker ? ["serve"] : ["serve", "--no-worker"], env))
    const [, root = ""] = yield* child.line(/listening on (http:\/\/\S+)/).pipe(
      Effect.timeoutOrElse({
        duration: "60 seconds",
        orElse: () => Effect.fail(new Child.ChildFailed({ program: "freehold serve", detail: "not ready in time" }))
      })
    )
    return { ...child, root }
  })
