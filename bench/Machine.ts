/** What the figures were measured on. */
import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os"
import { Postgres } from "./Postgres.ts"

/** The distribution, where the system tells. */
const distribution = (): string => {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? type()
  } catch {
    return type()
  }
}

/**
 * Milliseconds that the host of a virtual machine has taken from its processors since it started, all of them together; null: the
 * system does not tell. Linux counts them in hundredths of a second, as `steal`.
 */
export const taken = (): number | null => {
  try {
    const steal = /^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync("/proc/stat", "utf8"))?.[1]
    return steal === undefined ? null : 10 * Number(steal)
  } catch {
    return null
  }
}

export const facts = Effect.gen(function*() {
  const { url, version } = yield* Postgres
  const cores = availableParallelism()
  return [
    `Processor: ${cpus()[0]?.model.trim() ?? "unknown"}, ${cores} ${cores === 1 ? "core" : "cores"}, shared by the`
    + " database, the servers and the load generator",
    `Memory: ${(totalmem() / 2 ** 30).toFixed(1)} GiB; ${distribution()}, kernel ${release()}`,
    `Node ${process.versions.node}; PostgreSQL ${version} (embedded, durable, on ${
      new URL(Redacted.value(url)).hostname
    })`,
    `Load before the run (1, 5, 15 minutes): ${loadavg().map((load) => load.toFixed(2)).join(", ")}`
  ]
})
