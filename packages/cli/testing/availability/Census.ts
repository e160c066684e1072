/**
 * What a server holds, as Linux tells it of another process: the connections to its port, its memory; and how much the
 * embedded PostgreSQL has written into its logs.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { block as probeBlock } from "./Probe.ts"

/** In /proc/net/tcp an address is a number of four bytes, the last one first. */
const addressOf = (hex: string): string =>
  [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(".")

/** The state of the socket that takes connections. */
const listening = "0A"

/**
 * The attackers' connections that the server holds, by address, also those that one side has closed; those of the probe
 * are not counted, nor those that belong to no file: the server has not taken them yet, or let go of them.
 */
export const connectionsTo = (port: number): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const fields = line.trim().split(/\s+/)
    const [, local = "", remote = "", state = ""] = fields
    const [hex = ""] = remote.split(":")
    const ours = Number.parseInt(local.split(":")[1] ?? "", 16) === port
    if (!ours || state === listening || fields[9] === "0") continue
    const address = addressOf(hex)
    if (!address.startsWith(`127.${probeBlock}.`)) found.set(address, (found.get(address) ?? 0) + 1)
  }
  return found
}

/** Bytes of memory that the process holds. */
export const residentOf = (pid: number): number =>
  1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)

/** Open files of the process, its connections among them: found at once, however many connections the machine has. */
export const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

const logsIn = (folder: string): number => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.includes(".log"))
      .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0)
  } catch {
    return 0
  }
}

/** Bytes in all logs of the embedded PostgreSQL of a data directory, old ones included. */
export const logBytes = (dataDirectory: string): number =>
  ["postgres", "postgres/log", "postgres/data/log"].reduce(
    (sum, folder) => sum + logsIn(join(dataDirectory, folder)),
    0
  )

/** The most that was held at any time of a watch. */
export interface Peak {
  readonly ofAddress: number
  readonly connections: number
  readonly resident: number
}

export interface Watch {
  /** Looks now, and not only when it is time again. */
  readonly look: () => void
  readonly stop: () => Peak
}

/** Watches a server until it is told to stop. */
export const watch = (
  server: { readonly pid: number; readonly port: number },
  { everyMillis = 50 }: { readonly everyMillis?: number } = {}
): Watch => {
  let peak: Peak = { ofAddress: 0, connections: 0, resident: 0 }
  const look = () => {
    const counts = Array.from(connectionsTo(server.port).values())
    peak = {
      ofAddress: Math.max(peak.ofAddress, ...counts),
      connections: Math.max(peak.connections, counts.reduce((sum, count) => sum + count, 0)),
      resident: Math.max(peak.resident, residentOf(server.pid))
    }
  }
  look()
  const timer = setInterval(look, everyMillis)
  return {
    look,
    stop: () => {
      clearInterval(timer)
      look()
      return peak
    }
  }
}
