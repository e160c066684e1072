/**
 * Faults from outside while two workers deliver: `node bench/chaos.ts [--deliveries N] [--fault WORDS]`.
 *
 * Prints a table. Exit code 1: something was lost, repeated beyond what was in flight, or billed other than once.
 */
import { NodeRuntime } from "@effect/platform-node"
import * as Chaos from "@freehold/cli/testing/chaos/Chaos"
import * as Faults from "@freehold/cli/testing/chaos/Faults"
import { Console, Effect } from "effect"
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as PostgresServer from "./Postgres.ts"
import { decimal, format, whole } from "./Report.ts"

const { values } = parseArgs({
  options: { deliveries: { type: "string", default: "10000" }, fault: { type: "string", default: "" } }
})
const deliveries = Number(values.deliveries)

const main = fileURLToPath(new URL("../packages/cli/src/main.ts", import.meta.url))

/** Below the folder of the server, which its account owns. */
const diskIn = (parent: string): Faults.Disk => {
  const folder = join(parent, "full")
  mkdirSync(folder)
  const { gid, uid } = statSync(join(parent, "postgres", "data"))
  return { folder, uid, gid }
}

const play = (fault: Faults.Fault) =>
  Effect.scoped(Effect.gen(function*() {
    const { database } = yield* PostgresServer.Postgres
    const url = yield* database("chaos")
    yield* Console.error(`${fault.name} ...`)
    const row = yield* Effect.promise(() => Chaos.play({ url, main }, fault, deliveries))
    yield* Console.error(`  ${Chaos.faultsOf(row).join("; ") || "held"}, ${decimal(row.seconds)} s`)
    return row
  }))

const run = Effect.gen(function*() {
  const { folder } = yield* PostgresServer.Postgres
  const disk = diskIn(folder)
  const faults = [
    Faults.killed("waited"),
    Faults.crashed,
    Faults.stopped("waited"),
    Faults.deaf,
    Faults.ahead,
    Faults.full(disk)
  ].filter(({ name }) => name.includes(values.fault))
  const rows = yield* Effect.forEach(faults, play).pipe(Effect.ensuring(Effect.sync(() => Faults.unmount(disk))))
  const broken = rows.flatMap((row) => Chaos.faultsOf(row).map((fault) => `${row.fault}: ${fault}`))
  yield* Console.log(format({
    title: `${whole(deliveries)} deliveries by two workers, each billed one credit`,
    columns: ["fault at half", "lost", "repeated", "in flight then", "billed", "seconds"],
    rows: rows.map(({ billed, fault, inFlight, lost, repeated, seconds }) => [
      fault,
      whole(lost),
      whole(repeated),
      whole(inFlight),
      whole(billed),
      decimal(seconds)
    ]),
    notes: [...rows.flatMap(({ fault, note }) => note === "" ? [] : [`${fault}: ${note}`]), ...broken]
  }))
  if (broken.length > 0) process.exitCode = 1
})

if (Number.isInteger(deliveries) && deliveries > 0) {
  run.pipe(Effect.provide(PostgresServer.layer), NodeRuntime.runMain)
} else {
  console.error("--deliveries must be a whole number above 0.")
  process.exitCode = 2
}
