/**
 * The `freehold` command as a person runs it: a process of its own, spoken to through arguments, environment, standard
 * streams and HTTP only.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { afterAll, inject } from "vitest"
import { ask } from "../../freehold/testing/Door.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly commandDoor: string
  }
}

/** The program of this version. */
export const main = await ask(inject("commandDoor"))

export type Environment = Readonly<Record<string, string>>

/** For a process of a machine whose clock is so many hours ahead. */
export const hoursAhead = (hours: number): Environment => {
  const shift = `const now = Date.now.bind(Date); Date.now = () => now() + ${hours * 3_600_000}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` }
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing of the surrounding environment but what finds programs and temporary files. */
const inherited = Object.fromEntries(
  ["PATH", "HOME", "TMPDIR", "LANG"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
)

const started = new Set<ChildProcess>()

/** Starts a command and leaves it running, at most until the tests of the file are over. */
export const start = (args: ReadonlyArray<string>, env: Environment, program = main): ChildProcess => {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited, ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  started.add(child)
  child.once("exit", () => started.delete(child))
  return child
}

// What a failed test left behind.
afterAll(() => {
  for (const child of started) child.kill("SIGKILL")
})

export const textOf = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
  let text = ""
  for await (const chunk of stream ?? []) text += String(chunk)
  return text
}

/** Runs a command to its end, its result going where a file descriptor leads. */
export const runInto = async (output: number, args: ReadonlyArray<string>, env: Environment): Promise<Finished> => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...inherited, ...env },
    stdio: ["ignore", output, "pipe"]
  })
  const closed = once(child, "close")
  const stderr = await textOf(child.stderr)
  await closed
  return { code: child.exitCode, stdout: "", stderr }
}

/** Runs a command to its end. */
export const run = async (
  args: ReadonlyArray<string>,
  env: Environment,
  input: string | Uint8Array = "",
  program = main
): Promise<Finished> => {
  const child = start(args, env, program)
  child.stdin?.end(input)
  const closed = once(child, "close")
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  await closed
  return { code: child.exitCode, stdout, stderr }
}

/** Runs a command that must succeed and print one JSON document. */
export const runJson = async (args: ReadonlyArray<string>, env: Environment, input = ""): Promise<unknown> => {
  const { code, stderr, stdout } = await run([...args, "--json"], env, input)
  if (code !== 0) throw new Error(`freehold ${args.join(" ")} exited ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

export interface Server {
  /** The API root, such as `http://127.0.0.1:40123/v1`. */
  readonly url: string
  readonly process: ChildProcess
  /** Everything printed to standard output so far. */
  readonly output: () => string
  /** Everything printed to standard error, once it has ended. */
  readonly errors: Promise<string>
  /** Waits for a line of standard error; answers its first group. */
  readonly says: (line: RegExp) => Promise<string>
  /** Sends SIGTERM and answers the exit code. */
  readonly stop: () => Promise<number | null>
}

/** Waits for a line of a process's standard error; answers its first group. */
export const sayingOf = (child: ChildProcess) => {
  let told = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    told += chunk.toString()
  })
  return async (line: RegExp): Promise<string> => {
    for (;;) {
      const found = line.exec(told)
      if (found !== null) return found[1] ?? found[0]
      if (child.stderr === null || child.exitCode !== null) throw new Error(`never said ${line}: ${told}`)
      await Promise.race([once(child.stderr, "data"), once(child, "exit")])
    }
  }
}

/** `freehold serve` on a free port, once it accepts requests. */
export const serve = async (args: ReadonlyArray<string>, env: Environment, program = main): Promise<Server> => {
  const child = start(["serve", "--port", "0", ...args], env, program)
  child.stdin?.end()
  const closed = once(child, "close")
  const says = sayingOf(child)
  const errors = textOf(child.stderr)
  if (child.stdout === null) throw new Error("no standard output")
  let output = ""
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += `${line}\n`
      const listening = /^freehold listening on (\S+)$/.exec(line)?.[1]
      if (listening !== undefined) resolve(listening)
    })
    void closed.then(async () => reject(new Error(`serve exited ${child.exitCode}: ${await errors}`)))
  })
  return {
    url,
    process: child,
    output: () => output,
    errors,
    says,
    stop: async () => {
      child.kill("SIGTERM")
      await closed
      return child.exitCode
    }
  }
}
