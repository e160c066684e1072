/** What `freehold doctor` says of connections and of replicas. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { connectionsOf } from "@freehold/adapters-pg/database/Pools"
import type { Hosts } from "@freehold/adapters-pg/database/ReplicaHosts"
import * as Standby from "@freehold/adapters-pg/database/Standby"
import * as DiagnosisPg from "@freehold/adapters-pg/diagnosis/DiagnosisPg"
import { Clock, Duration, Effect, Option } from "effect"
import { Settings } from "./Settings.ts"

interface CapacityFinding {
  readonly check: "connections" | "replica"
  readonly outcome: "ok" | "fault"
  readonly detail: string
}

const finding = (
  check: CapacityFinding["check"],
  outcome: CapacityFinding["outcome"],
  detail: string
): CapacityFinding => ({ check, outcome, detail })

/** Adds the connections up that a server with its workers takes, beside one command. */
export const connections = Effect.gen(function*() {
  const { console, databaseManner: { sizes }, operatorConsole, workers } = yield* Settings
  const { max, others, reserved } = yield* DiagnosisPg.connections
  const { command, operator, server, worker } = connectionsOf(sizes)
  const area = console && operatorConsole !== "off" ? operator : 0
  // Every process does some of the background work (`housekeeping`), whether it delivers or not.
  const wanted = workers * (server + worker + area)
  const left = max - reserved - others
  const told = `a server${workers === 1 ? "" : ` of ${workers} processes`} takes at most ${wanted} with its workers, `
    + `a command ${command}; of ${max} (max_connections) ${reserved} are reserved and ${others} are others'`
  return wanted + command <= left
    ? finding("connections", "ok", told)
    : finding(
      "connections",
      "fault",
      `${told}: too few; raise max_connections, or lower FREEHOLD_DATABASE_POOLS or FREEHOLD_WORKERS`
    )
})

const replica = (primary: Standby.Mark, hosts: Hosts) =>
  Effect.forEach(hosts, (host) =>
    Effect.gen(function*() {
      const { databaseManner, replicaBounds: { maxLag } } = yield* Settings
      const standby = yield* Database.standbyAt(host, maxLag, databaseManner)
      yield* standby.look(primary)
      const before = yield* Clock.currentTimeMillis
      const reached = yield* standby.reaches(primary, maxLag)
      const { trouble } = standby.standing()
      if (trouble !== null) return finding("replica", "fault", `${host.name} is not read from: ${trouble}`)
      return reached
        ? finding("replica", "ok", `${host.name} follows, ${(yield* Clock.currentTimeMillis) - before} ms behind`)
        : finding("replica", "fault", `${host.name} is more than ${Duration.format(maxLag)} behind, and not read from`)
    }).pipe(Effect.scoped), { concurrency: "unbounded" })

/** Each replica: whether it is a standby of this database, and how long it takes to come up to the primary. */
export const replicas = Effect.gen(function*() {
  const { databaseReplicaUrl } = yield* Settings
  if (Option.isNone(databaseReplicaUrl)) return []
  return yield* replica(yield* Standby.markOf(yield* Database.Pipeline), databaseReplicaUrl.value)
})
