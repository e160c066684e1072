/** The forms of the settings that say how much of a machine and of its database a process takes. */
import {
  defaultSizes,
  type PoolSizes,
  type SessionSetting,
  sessionSettings,
  superuserSettings
} from "@freehold/adapters-pg/database/Pools"
import * as ReplicaHosts from "@freehold/adapters-pg/database/ReplicaHosts"
import { isTuned, isValue, rules, type Tuned } from "@freehold/adapters-pg/tuning/Tuning"
import type { Places } from "@freehold/core/load/Workload"
import { Option, Redacted } from "effect"
import { escaped, hidden, isWholePostgresUrl, matching, type SettingForm } from "./SettingForm.ts"

const mostProcesses = 64

/** Processes of one server. */
export const processes: SettingForm<number> = {
  expected: `a number of processes from 1 to ${mostProcesses}`,
  parse: matching((value) =>
    /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= mostProcesses ? Number(value) : undefined
  )
}

/** The parts of `name=value,name=value`; undefined: it is no such text, or names one twice. */
const assignments = (value: string): ReadonlyMap<string, string> | undefined => {
  const pairs = value.split(",").map((part) => /^\s*([a-z_]+)\s*=\s*(\S+)\s*$/.exec(part)?.slice(1))
  const found = new Map<string, string>()
  for (const [name = "", given = ""] of pairs.map((pair) => pair ?? [])) {
    if (name === "" || found.has(name)) return undefined
    found.set(name, given)
  }
  return found
}

const poolNames: ReadonlyArray<string> = Object.keys(defaultSizes)

const mostConnections = 1000

const poolSizesOf = (value: string): PoolSizes | undefined => {
  const given = assignments(value)
  if (given === undefined) return undefined
  const sizes: { -readonly [Name in keyof PoolSizes]: number } = { ...defaultSizes }
  const left = new Set(given.keys())
  for (const name of ["admission", "points", "ledger", "reads", "replica", "worker", "command"] as const) {
    const size = given.get(name)
    if (size === undefined) continue
    if (!/^\d{1,4}$/.test(size) || Number(size) < 1 || Number(size) > mostConnections) return undefined
    sizes[name] = Number(size)
    left.delete(name)
  }
  return left.size === 0 ? sizes : undefined
}

/** Connections of each pool; one that is not named has as many as ever. */
export const poolSizes: SettingForm<PoolSizes> = {
  expected: `connections of pools such as ledger=16,reads=12; the pools are ${poolNames.join(", ")}`,
  parse: matching(poolSizesOf)
}

const sendable = [...sessionSettings, ...superuserSettings]

const isSessionSetting = (name: string): name is SessionSetting => sendable.some((each) => each === name)

/** As the operator would write them. */
export const defaultSizesText = Object.entries(defaultSizes).map(([name, size]) => `${name}=${size}`).join(",")

/** What is sent when a connection begins, or `none`. */
export const startup: SettingForm<ReadonlyArray<SessionSetting>> = {
  expected: `none, or some of ${sendable.join(", ")}, separated by commas`,
  parse: matching((value): ReadonlyArray<SessionSetting> | undefined => {
    if (value === "none") return []
    const names = value.split(",").map((name) => name.trim())
    const known = names.filter(isSessionSetting)
    return known.length === names.length ? known : undefined
  })
}

const mostPlaces = 10_000

const kinds = ["point", "read", "write", "research"] as const

/** While a busier organization is there, another one may have half of all places. */
const chosen = (inAll: number, perOrganization: number) => ({
  inAll,
  perOrganization,
  besideBusier: Math.max(perOrganization, Math.trunc(inAll / 2))
})

const placesOf = (value: string): Places | undefined => {
  const given = assignments(value)
  if (given === undefined) return undefined
  const places: { -readonly [Kind in keyof Places]: Places[Kind] } = {}
  const left = new Set(given.keys())
  for (const kind of kinds) {
    const text = given.get(kind)
    if (text === undefined) continue
    const [, all, each] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []
    const [inAll, perOrganization] = [Number(all ?? 0), Number(each ?? 0)]
    if (perOrganization < 1 || inAll < perOrganization || inAll > mostPlaces) return undefined
    places[kind] = chosen(inAll, perOrganization)
    left.delete(kind)
  }
  return left.size === 0 ? places : undefined
}

/** What runs at once of each kind of work, of all organizations and of one. */
export const places: SettingForm<Places> = {
  expected: `places such as read=6/1,write=6/2 (of all organizations / of one); the kinds are ${kinds.join(", ")}`,
  parse: matching(placesOf)
}

const tuningOf = (value: string): Tuned | undefined => {
  const given = assignments(value)
  if (given === undefined) return undefined
  const known = [...given].filter(([name, text]) => isTuned(name) && isValue(name, text))
  return known.length === given.size ? Object.fromEntries(known) : undefined
}

/** Settings of the embedded PostgreSQL, as it would be told them. */
export const tuning: SettingForm<Tuned> = {
  expected: `settings of PostgreSQL such as shared_buffers=2GB,work_mem=32MB; those that may be set are ${
    Object.keys(rules).join(", ")
  }`,
  parse: matching(tuningOf)
}

/** What a machine has of what a database takes; null: not told. Sizes are in bytes. */
export interface MachineSize {
  readonly memory: number | null
  readonly processors: number | null
  readonly disk: number | null
}

const units: Readonly<Record<string, number>> = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 }

const bytesOf = (text: string): number | undefined => {
  const [, digits, unit = ""] = /^([1-9]\d{0,5})(MB|GB|TB)$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (units[unit] ?? 1)
}

const machineOf = (value: string): MachineSize | undefined => {
  const given = assignments(value)
  if (given === undefined) return undefined
  const { disk, memory, processors, ...others } = Object.fromEntries(given)
  const sizes = {
    memory: memory === undefined ? null : bytesOf(memory),
    disk: disk === undefined ? null : bytesOf(disk),
    processors: processors === undefined ? null : /^[1-9]\d{0,3}$/.test(processors) ? Number(processors) : undefined
  }
  if (Object.keys(others).length > 0) return undefined
  const { disk: room, memory: bytes, processors: count } = sizes
  return room === undefined || bytes === undefined || count === undefined
    ? undefined
    : { memory: bytes, processors: count, disk: room }
}

/** The machine that a database is on. */
export const machine: SettingForm<MachineSize> = {
  expected: "what the machine has, such as memory=64GB,processors=16,disk=2TB",
  parse: matching(machineOf)
}

/** Standbys that are read from. */
export const replicas: SettingForm<ReplicaHosts.Hosts> = {
  expected: `${ReplicaHosts.expected}, ${escaped}`,
  secret: true,
  disclosed: (value) =>
    Option.match(ReplicaHosts.parse(value), {
      onNone: () => hidden,
      onSome: (hosts) => hosts.map(({ name }) => name).join(", ")
    }),
  parse: (value) =>
    Option.filter(
      ReplicaHosts.parse(value),
      (hosts) => hosts.every(({ url }) => isWholePostgresUrl(new URL(Redacted.value(url))))
    )
}
