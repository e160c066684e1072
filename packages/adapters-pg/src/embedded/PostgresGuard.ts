/**
 * The process that keeps an embedded PostgreSQL running for as long as another process uses it.
 *
 * It is started apart from its users (own session: a Ctrl-C in their terminal does not reach it) and they hold a
 * connection to it. When the last connection ends, however its process ended, the guard shuts the server down and
 * leaves. A server that dies is started again on the same port; a server whose guard died is taken over as it runs.
 * One that somebody else asks to stop is stopped at once and started again: left to itself it would serve whoever is
 * connected and nobody else, for as long as that takes.
 *
 * Files in the folder `postgres` of the data directory: `data` (the cluster), `password`, `port`, `server.log` (and
 * `server.log.1`, `PostgresLog`), and `guard.N.json` of the newest guard (`PostgresClaim`).
 *
 * What a user says and hears: `TOKEN\n`, then `welcome\n` at once, then `ready PORT\n` or `failed REASON\n`.
 *
 * *Gotchas*
 *
 * - Standard input counts as a user: it is held by the process that started the guard until that one is connected.
 * - This is a program with Node and nothing else in it, because it starts and waits beside every embedded database.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { thisMachine } from "../tuning/ThisMachine.ts"
import { type Tuned, tuningFor } from "../tuning/Tuning.ts"
import { canReach, serverAccount } from "./PostgresAccount.ts"
import { prepareBinaries } from "./PostgresBinaries.ts"
import { claim } from "./PostgresClaim.ts"
import { replaceFile } from "./PostgresFiles.ts"
import { lastComplaint, openLog, rotateLog } from "./PostgresLog.ts"

interface Settings {
  readonly dataDirectory: string
  readonly durable: boolean
  readonly temporary: boolean
  readonly maxConnections: number
  readonly tuning: Tuned
}

const settings: Settings = JSON.parse(process.argv[2] ?? "{}")
const folder = Path.join(settings.dataDirectory, "postgres")
const dataFolder = Path.join(folder, "data")
const account = serverAccount(dataFolder)
const environment = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }

/** Files of ours belong to whoever owns the data directory, also when root makes them. */
const writePrivately = (file: string, text: string): void => {
  const { gid, uid } = Fs.statSync(settings.dataDirectory)
  replaceFile(file, text, account === undefined ? undefined : { uid, gid })
}

/**
 * How to name a folder to a program of the server's account. Below a private folder (root's home) no path leads there,
 * but a process may use the folder that it was started in.
 */
const reach = (place: string): string => account === undefined || canReach(account, place) ? place : "/proc/self/cwd"

const program = (file: string, args: ReadonlyArray<string>, cwd: string, log: number): ChildProcess =>
  spawn(file, args, { cwd, env: environment, stdio: ["ignore", log, log], detached: true, ...account })

const logFile = Path.join(folder, "server.log")

const initialise = async (initdb: string, log: number): Promise<void> => {
  const staging = Path.join(folder, "new")
  const unfinished = Path.join(staging, "data")
  Fs.rmSync(staging, { recursive: true, force: true })
  Fs.mkdirSync(staging, { mode: 0o700 })
  Fs.mkdirSync(unfinished, { mode: 0o700 })
  const password = randomBytes(24).toString("base64url")
  writePrivately(Path.join(folder, "password"), password)
  const passwordFile = Path.join(staging, "password")
  Fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account !== undefined) {
    for (const file of [staging, unfinished, passwordFile]) Fs.chownSync(file, account.uid, account.gid)
  }
  const target = reach(unfinished)
  const child = program(
    initdb,
    [
      `--pgdata=${target}`,
      `--pwfile=${target === unfinished ? passwordFile : `${target}/../password`}`,
      "--username=freehold",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(settings.durable ? [] : ["--no-sync"])
    ],
    unfinished,
    log
  )
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`initdb failed: ${lastComplaint(logFile)}`)
  Fs.renameSync(unfinished, dataFolder)
  Fs.rmSync(staging, { recursive: true })
}

interface Server {
  readonly pid: number
  readonly port: number
}

interface PidFile extends Server {
  /** As the server tells it: `starting`, `ready` or `stopping`. */
  readonly status: string | undefined
}

const readPidFile = (): PidFile | undefined => {
  try {
    const lines = Fs.readFileSync(Path.join(dataFolder, "postmaster.pid"), "utf8").split("\n")
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() }
  } catch {
    return undefined
  }
}

const commandOf = (pid: number): string =>
  spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout

/** Whether that process exists and works in our cluster: process ids are reused, above all in containers. */
const isServer = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    if (process.platform !== "linux") return commandOf(pid).includes(dataFolder)
    return Fs.readlinkSync(`/proc/${pid}/cwd`) === Fs.realpathSync(dataFolder)
  } catch {
    return false
  }
}

const freePort = async (wanted: number): Promise<number> => {
  const probe = Net.createServer()
  try {
    await new Promise<void>((resolve, reject) => probe.once("error", reject).listen(wanted, "127.0.0.1", resolve))
    const address = probe.address()
    return address !== null && typeof address === "object" ? address.port : wanted
  } catch (error) {
    if (wanted !== 0) return freePort(0)
    throw error
  } finally {
    probe.close()
  }
}

/** They are given at each start: a newer version brings newer ones, and the machine may have grown. */
const serverSettings = (port: number): ReadonlyArray<string> =>
  Object.entries({
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: settings.maxConnections,
    ...tuningFor({
      ...thisMachine(dataFolder),
      connections: settings.maxConnections,
      shared: true,
      // The programs that come with the package know none.
      lz4: false
    }),
    ...settings.tuning,
    // An installation may have cells, or be one, from one moment to the next (docs/scaling.md).
    wal_level: "logical",
    max_logical_replication_workers: 16,
    max_sync_workers_per_subscription: 4,
    max_worker_processes: 24,
    timezone: "UTC",
    log_timezone: "UTC",
    // What clients send stays out of the log: it is theirs, and of any length.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    log_parameter_max_length_on_error: 0,
    ...(settings.durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" })
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`])

const refuseForeignFiles = (): void => {
  const owner = Fs.statSync(dataFolder, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && process.getuid !== undefined && ![0, owner].includes(process.getuid())) {
    throw new Error(`${dataFolder} belongs to the user with id ${owner}: run as that user or as root`)
  }
}

/** The port of the last time, so that whoever wrote the address down finds the server there. */
const portFile = Path.join(folder, "port")

const lastPort = (): number => Fs.existsSync(portFile) ? Number(Fs.readFileSync(portFile, "utf8")) : 0

const keepPort = (port: number): void => {
  if (lastPort() !== port) writePrivately(portFile, String(port))
}

/** No system counts so far. */
const impossiblePid = 2 ** 31 - 2

/**
 * PostgreSQL itself decides whether the file of a killed server still matters: processes of that server may be at work,
 * which it finds by the shared memory named there. What it cannot know is that the process id is somebody else's by now.
 */
const disownPidFile = (): void => {
  const file = Path.join(dataFolder, "postmaster.pid")
  if (readPidFile() === undefined) return
  const [, ...rest] = Fs.readFileSync(file, "utf8").split("\n")
  replaceFile(file, [impossiblePid, ...rest].join("\n"), account)
}

const launch = async (postgres: string, log: number): Promise<Server> => {
  disownPidFile()
  for (let attempt = 1;; attempt++) {
    const port = await freePort(lastPort())
    keepPort(port)
    const child = program(postgres, ["-D", reach(dataFolder), ...serverSettings(port)], dataFolder, log)
    const ended = once(child, "exit")
    while (child.exitCode === null && child.signalCode === null) {
      const found = readPidFile()
      if (found?.pid === child.pid && found?.status === "ready") return found
      await Promise.race([delay(10), ended])
    }
    // Statements of a killed server end first; and a free port may have been taken meanwhile.
    const complaint = lastComplaint(logFile)
    const passes = /pre-existing shared memory|could not create any TCP/.test(complaint)
    if (!passes || attempt === 100) throw new Error(`postgres does not start: ${complaint}`)
    await delay(100)
  }
}

/** Disconnects everybody and waits for the last byte to be written. */
const stopServer = async ({ pid }: Server): Promise<void> => {
  for (let waited = 0; isServer(pid); waited += 10) {
    try {
      if (waited === 0) process.kill(pid, "SIGINT")
      if (waited === 30_000) process.kill(pid, "SIGQUIT")
    } catch {
      // It has just ended.
    }
    await delay(10)
  }
}

const isStopping = (): boolean => readPidFile()?.status === "stopping"

/** The server that runs, once it accepts connections; one that is on its way out is waited for and not taken. */
const runningServer = async (): Promise<Server | undefined> => {
  for (let found = readPidFile(); found !== undefined && isServer(found.pid); found = readPidFile()) {
    if (found.status === "ready") return found
    if (found.status === "stopping") await stopServer(found)
    else await delay(20)
  }
  return undefined
}

/** Starts the server, or takes over the one that runs; resolves when it accepts connections. */
const startServer = async (first: boolean): Promise<Server> => {
  rotateLog(logFile)
  const log = openLog(logFile)
  try {
    refuseForeignFiles()
    const binaries = prepareBinaries(account)
    if (!Fs.existsSync(Path.join(dataFolder, "PG_VERSION"))) {
      // An empty database must not take the place of one that was deleted under a running server.
      if (!first) throw new Error(`${dataFolder} is gone`)
      await initialise(binaries.initdb, log)
    }
    return await runningServer() ?? await launch(binaries.postgres, log)
  } finally {
    Fs.closeSync(log)
  }
}

const users = new Set<Net.Socket>()
/** Users that said goodbye and wait until the server has stopped. */
const departed = new Set<Net.Socket>()
let starterConnects = true
let leaving = false
let answer = ""
let wake = () => {}

const inUse = (): boolean => !leaving && (starterConnects || users.size > 0)

const token = randomBytes(24).toString("base64url")
const control = Net.createServer({ allowHalfOpen: true }, (socket) => {
  // It repeats the errors of its socket.
  createInterface({ input: socket }).on("error", () => {}).once("line", (line) => {
    if (line !== token || leaving) {
      socket.destroy()
    } else {
      users.add(socket)
      socket.write(`welcome\n${answer}`)
    }
  })
  socket.on("error", () => socket.destroy())
  socket.once("end", () => {
    users.delete(socket)
    if (inUse()) {
      socket.end()
    } else {
      departed.add(socket)
      wake()
    }
  })
  socket.once("close", () => {
    users.delete(socket)
    wake()
  })
})

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message.replaceAll("\n", " ") : String(error)

const guard = async (): Promise<void> => {
  for (let first = true; inUse(); first = false) {
    const server = await startServer(first)
    answer = `ready ${server.port}\n`
    for (const user of users) user.write(answer)
    while (inUse() && isServer(server.pid) && !isStopping()) {
      rotateLog(logFile)
      await Promise.race([delay(250), new Promise<void>((resolve) => (wake = resolve))])
    }
    // Who comes from now on waits for the next start.
    answer = ""
    if (isServer(server.pid)) await stopServer(server)
    else await delay(250)
    for (const socket of departed) socket.end()
    departed.clear()
  }
}

process.stdin.on("error", () => {}).on("close", () => {
  starterConnects = false
  wake()
})
process.stdin.resume()
// Nobody listens any more once the starter has gone on.
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  // A machine that shuts down signals everybody: let the users finish first.
  process.on(signal, () =>
    setTimeout(() => {
      leaving = true
      wake()
    }, 30_000))
}

/** Whether this process is the guard now; it leaves with a sentence where that cannot be found out. */
const claimed = async (): Promise<boolean> => {
  const address = control.address()
  if (address === null || typeof address === "string") return false
  try {
    if (!Fs.existsSync(folder)) Fs.mkdirSync(folder, { mode: 0o711 })
    return await claim(folder, { pid: process.pid, port: address.port, token }, writePrivately)
  } catch (error) {
    process.stderr.write(sentenceOf(error))
    process.exit(1)
  }
}

control.listen(0, "127.0.0.1", async () => {
  const isGuard = await claimed()
  process.stdout.write(isGuard ? "claimed\n" : "taken\n")
  if (isGuard) {
    try {
      await guard()
    } catch (error) {
      answer = `failed ${sentenceOf(error)}\n`
      for (const user of users) user.end(answer)
      while (starterConnects) await new Promise<void>((resolve) => (wake = resolve))
    }
    leaving = true
    if (settings.temporary) {
      // Others that were cut off at the same moment may still be writing into the folder.
      await Fs.promises.rm(settings.dataDirectory, { recursive: true, force: true, maxRetries: 10 })
    }
  }
  control.close()
  setTimeout(() => process.exit(), 100)
})
