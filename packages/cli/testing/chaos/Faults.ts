/** What befalls the workers and their database while they deliver. */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { join } from "node:path"
import { inDatabase, type World } from "./World.ts"

export interface Fault {
  readonly name: string
  /** Of the first worker's Node. */
  readonly options?: ReadonlyArray<string>
  /** Happens when half of the deliveries have arrived. */
  readonly strike: (world: World) => Promise<{
    /** What was claimed when it happened. Not given: what was claimed just before. */
    readonly inFlight?: number
    /** What remains to be said. */
    readonly note?: string
  }>
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** Whether the leases are waited for, or are made to end. */
type Lease = "waited" | "ended"

/** Answers what was claimed before. */
const pass = async (lease: Lease, { endLeases, inFlight }: World): Promise<number> => {
  if (lease === "ended") return endLeases()
  const claimed = await inFlight()
  await pause(31_000)
  return claimed
}

export const killed = (lease: Lease): Fault => ({
  name: "kill -9 of one of two workers",
  strike: async (world) => {
    const [killed] = world.workers
    const gone = once(killed, "exit")
    killed.kill("SIGKILL")
    await gone
    return { inFlight: lease === "ended" ? await world.endLeases() : await world.inFlight() }
  }
})

/** It goes on where it stood when another one has taken over what it held. */
export const stopped = (lease: Lease): Fault => ({
  name: "SIGSTOP of a worker past its leases, then SIGCONT",
  strike: async (world) => {
    world.workers[0].kill("SIGSTOP")
    const inFlight = await pass(lease, world)
    await world.settled()
    world.workers[0].kill("SIGCONT")
    // Long enough to record, or to send, what it was about to.
    await pause(2000)
    return { inFlight }
  }
})

export const deaf: Fault = {
  name: "the LISTEN connections cut",
  strike: async ({ place }) => {
    const cut = await inDatabase(place, (sql) =>
      sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'listen %'`)
    return { note: `${cut.length} connections` }
  }
}

const hourAhead = `data:text/javascript,${encodeURIComponent("const now = Date.now; Date.now = () => now() + 3600000")}`

export const ahead: Fault = {
  name: "a worker's clock an hour ahead",
  options: ["--import", hourAhead],
  strike: async () => ({})
}

/** Needs a server of its own: every connection to it ends. */
export const crashed: Fault = {
  name: "immediate stop of PostgreSQL",
  strike: async ({ place }) => {
    const [writer] = await inDatabase(
      place,
      (sql) => sql<{ readonly pid: number }>`SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'`
    )
    if (writer === undefined) throw new Error("the server shows no background writer")
    // The server stops all others at once, and recovers from its log.
    process.kill(writer.pid, "SIGKILL")
    return { note: "by a crash of one of its processes; recovered from its log" }
  }
}

/** A folder to mount on, and the account that the server runs by. */
export interface Disk {
  readonly folder: string
  readonly uid: number
  readonly gid: number
}

const small = 64 * 1024 * 1024

/** A file system of its own for the log; none where nothing may be mounted. */
const mount = ({ folder, gid, uid }: Disk): boolean => {
  try {
    const options = `size=${small},mode=0700,uid=${uid},gid=${gid}`
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const logTables = ["delivery_log", "delivery_attempt"]

/** Moves the log, with the partitions that it may have, to a tablespace that is full for three seconds. */
const fillDisk = async ({ place }: World, { folder }: Disk): Promise<string> => {
  await inDatabase(place, (sql) => sql.unsafe(`CREATE TABLESPACE chaos LOCATION '${folder}'`))
  await inDatabase(place, (sql) =>
    Effect.gen(function*() {
      const tables = yield* sql<{ readonly kind: string; readonly name: string }>`
        SELECT CASE c.relkind WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END AS kind, c.oid::regclass::text AS name FROM pg_class c
        WHERE c.relkind IN ('r', 'i') AND (
          c.relname LIKE 'delivery\\_log%' OR c.relname LIKE 'delivery\\_attempt%'
        )`
      for (const { kind, name } of tables) {
        yield* sql.unsafe(`ALTER ${kind} ${name} SET TABLESPACE chaos`)
      }
    }))
  const ballast = join(folder, "ballast")
  const file = Fs.openSync(ballast, "w")
  try {
    for (;;) Fs.writeSync(file, Buffer.alloc(4096))
  } catch {
    // Nothing more fits.
  }
  Fs.closeSync(file)
  await pause(3000)
  Fs.rmSync(ballast)
  return "a tablespace on tmpfs, full for 3 s"
}

/** What PostgreSQL says of a full disk, said of every row of the log for three seconds. */
const pretendFull = async ({ place }: World): Promise<string> => {
  await inDatabase(place, (sql) =>
    sql.unsafe(`
      CREATE FUNCTION chaos_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`))
  for (const table of logTables) {
    await inDatabase(
      place,
      (sql) => sql.unsafe(`CREATE TRIGGER chaos_full BEFORE INSERT ON ${table} EXECUTE FUNCTION chaos_full()`)
    )
  }
  await pause(3000)
  for (const table of logTables) {
    await inDatabase(place, (sql) => sql.unsafe(`DROP TRIGGER chaos_full ON ${table}`))
  }
  return "nothing may be mounted here: the error of a full disk by triggers, for 3 s"
}

export const full = (disk: Disk): Fault => ({
  name: "the disk of the log full",
  strike: async (world) => ({ note: mount(disk) ? await fillDisk(world, disk) : await pretendFull(world) })
})

/** When what was mounted is not needed any more. */
export const unmount = ({ folder }: Disk): void => {
  try {
    execFileSync("umount", [folder], { stdio: "ignore" })
  } catch {
    // Nothing was mounted.
  }
}
