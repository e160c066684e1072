/**
 * The processes that a benchmark starts: each lives in a scope, which ends it by its own handle.
 *
 * A child is asked to stop and, after a grace period, killed. Its settings come from the benchmark alone: what the shell
 * sets for Freehold or PostgreSQL does not reach it.
 */
import { Deferred, Effect, Schema, type Scope } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"

/** A child ended when it should not, or not well, or said nothing in time. */
export class ChildFailed extends Schema.TaggedError<ChildFailed>()("ChildFailed", {
  program: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.program}: ${this.detail}`
  }
}

export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /**
   * It is a session of its own, as services are. Linux shares the processors between sessions before it does between processes
   * (`autogroup`), so what others of the benchmark use is taken from everybody then, and not from this program alone.
   */
  readonly ownSession?: boolean | undefined
}

export interface Running {
  readonly pid: number
  /** The first line of standard output that matches; fails when the child ends before. */
  readonly line: (pattern: RegExp) => Effect.Effect<RegExpExecArray, ChildFailed>
  /** Writes a line and answers with the next line of standard output. One question at a time. */
  readonly ask: (question: unknown) => Effect.Effect<unknown, ChildFailed>
  /** Processor seconds used so far; undefined where the system does not tell. */
  readonly cpuSeconds: Effect.Effect<number | undefined>
}

const gracePeriod = 15_000

/** Settings of Freehold, of PostgreSQL's clients and of Node. */
const foreign = /^(FREEHOLD_|DATABASE_|PG|OAUTH_|OTEL_|NODE_OPTIONS$|HOST$|PORT$|LOG_LEVEL$)/

const environment = (env: Program["env"]): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
  ...env
})

/** The last lines of what a child said. */
const tailOf = (text: string): string => text.trim().split("\n").slice(-20).join("\n")

const nameOf = ({ args, command }: Program): string => [command.split("/").at(-1), ...args].join(" ").slice(0, 120)

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const launch = (program: Program): Child =>
  spawn(program.command, [...program.args], {
    cwd: program.cwd,
    env: environment(program.env),
    detached: program.ownSession ?? false,
    stdio: ["pipe", "pipe", "pipe"]
  })

const hasEnded = (child: Child): boolean => child.exitCode !== null || child.signalCode !== null

const stop = (child: Child): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.pid === undefined || hasEnded(child)) return resume(Effect.void)
    const kill = setTimeout(() => child.kill("SIGKILL"), gracePeriod)
    child.once("exit", () => {
      clearTimeout(kill)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

/** What Linux shows of a process, from its state on; nothing elsewhere. */
const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  } catch {
    return []
  }
}

/** Ticks of 10 ms to seconds. */
const secondsOf = (ticks: ReadonlyArray<string | undefined>): number =>
  ticks.reduce((sum, each) => sum + Number(each), 0) / 100

/** User and system time of the process itself, where Linux shows them. */
const cpuSecondsOf = (pid: number): number | undefined => {
  const fields = statOf(pid)
  return fields.length === 0 ? undefined : secondsOf(fields.slice(11, 13))
}

/** Processor seconds of the parent of a process, of its children, and of those of them that have ended; NaN where unknown. */
export const familyCpuSeconds = (child: number): number => {
  const parent = Number(statOf(child)[1])
  const own = statOf(parent)
  if (own.length === 0) return Number.NaN
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name)))
    .filter((fields) => Number(fields[1]) === parent)
  return secondsOf([...own.slice(11, 15), ...children.flatMap((fields) => fields.slice(11, 13))])
}

/** Starts a program that runs until the scope closes. */
export const start = (program: Program): Effect.Effect<Running, ChildFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(Effect.sync(() => launch(program)), stop)
    const ended = yield* Deferred.make<never, ChildFailed>()
    const lines: Array<string> = []
    const listeners = new Set<(line: string) => void>()
    let errors = ""
    const fail = (detail: string) =>
      Deferred.doneUnsafe(ended, Effect.fail(new ChildFailed({ program: nameOf(program), detail })))
    child.on("error", (error) => fail(error.message))
    child.on("exit", (code, signal) => fail(`ended with ${code ?? signal}\n${tailOf(errors)}`))
    child.stdin.on("error", () => child.stdin.destroy())
    child.stderr.on("data", (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-20_000)
    })
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line)
      // Of a copy: a listener that asks the next question at once must not hear the last answer.
      for (const listener of Array.from(listeners)) listener(line)
    })
    const orEnd = <A>(effect: Effect.Effect<A>) => Effect.raceFirst(effect, Deferred.await(ended))

    const line = (pattern: RegExp) =>
      orEnd(Effect.callback<RegExpExecArray>((resume) => {
        const look = (text: string): boolean => {
          const match = pattern.exec(text)
          if (match !== null) resume(Effect.succeed(match))
          return match !== null
        }
        if (lines.some(look)) return
        listeners.add(look)
        return Effect.sync(() => listeners.delete(look))
      }))

    const ask = (question: unknown) =>
      orEnd(Effect.callback<unknown>((resume) => {
        const hear = (text: string) => {
          listeners.delete(hear)
          resume(Effect.sync((): unknown => JSON.parse(text)))
        }
        listeners.add(hear)
        child.stdin.write(`${JSON.stringify(question)}\n`)
        return Effect.sync(() => listeners.delete(hear))
      }))

    const pid = child.pid ?? 0
    return { pid, line, ask, cpuSeconds: Effect.sync(() => cpuSecondsOf(pid)) }
  })

/** User and system time of all processes that this one has started and seen the end of, in ticks of 10 ms. */
const cpuSecondsOfEnded = (): number => {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? []
    return secondsOf(fields.slice(13, 15))
  } catch {
    return Number.NaN
  }
}

export interface Completed {
  readonly stdout: string
  /** From before the start to the end of the process. */
  readonly millis: number
  /** Of a processor; NaN where the system does not tell. What ended at the same time counts as well. */
  readonly cpuMillis: number
  /** The most memory that the process had resident, in bytes; NaN where the system does not tell. */
  readonly peakBytes: number
}

/** How often a program that runs to its end is looked at. */
const lookMillis = 50

/** The most memory that a process has had resident so far, in bytes, where Linux shows it. */
const peakBytesOf = (pid: number): number => {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024
  } catch {
    return Number.NaN
  }
}

/** Runs a program to its end; any exit code but 0 is a failure. */
export const run = (program: Program, input = ""): Effect.Effect<Completed, ChildFailed> =>
  Effect.scoped(Effect.gen(function*() {
    const begun = performance.now()
    const spent = cpuSecondsOfEnded()
    const child = yield* Effect.acquireRelease(Effect.sync(() => launch(program)), stop)
    return yield* Effect.callback<Completed, ChildFailed>((resume) => {
      let stdout = ""
      let stderr = ""
      let millis = 0
      let cpuMillis = 0
      let peakBytes = Number.NaN
      const look = setInterval(() => {
        const peak = peakBytesOf(child.pid ?? 0)
        if (!Number.isNaN(peak)) peakBytes = peak
      }, lookMillis)
      child.stdout.on("data", (chunk: Buffer) => stdout += chunk.toString())
      child.stderr.on("data", (chunk: Buffer) => stderr = (stderr + chunk.toString()).slice(-20_000))
      const fail = (detail: string) => resume(Effect.fail(new ChildFailed({ program: nameOf(program), detail })))
      child.on("error", (error) => {
        clearInterval(look)
        fail(error.message)
      })
      child.on("exit", () => {
        millis = performance.now() - begun
        cpuMillis = 1000 * (cpuSecondsOfEnded() - spent)
        clearInterval(look)
      })
      child.on("close", (code, signal) =>
        code === 0
          ? resume(Effect.succeed({ stdout, millis, cpuMillis, peakBytes }))
          : fail(`ended with ${code ?? signal}\n${tailOf(stderr)}`))
      child.stdin.on("error", () => child.stdin.destroy())
      child.stdin.end(input)
    })
  }))

/** Runs the effect; answers also with the processor milliseconds that the child used meanwhile, NaN where unknown. */
export const withCpu = Effect.fnUntraced(function*<A, E, R>(
  { cpuSeconds }: Pick<Running, "cpuSeconds">,
  effect: Effect.Effect<A, E, R>
) {
  const before = yield* cpuSeconds
  const value = yield* effect
  const after = yield* cpuSeconds
  return { value, cpuMillis: ((after ?? Number.NaN) - (before ?? Number.NaN)) * 1000 }
})

/** Whether a program is on the PATH. */
export const isInstalled = (command: string): Effect.Effect<boolean> =>
  run({ command, args: ["--version"] }).pipe(Effect.match({ onFailure: () => false, onSuccess: () => true }))
