/** The forms of the settings that say how much of a machine and of its database a process takes. */
import {
  defaultSizes,
  type PoolSizes,
  type SessionSetting,
  sessionSettings
} from "@freehold/adapters-pg/database/Pools"
import * as ReplicaHosts from "@freehold/adapters-pg/database/ReplicaHosts"
import { type AllBounds, bounds } from "@freehold/core/load/Workload"
import { Option } from "effect"

const matching = <A>(test: (text: string) => A | undefined) => (text: string) => Option.fromUndefinedOr(test(text))

const mostProcesses = 64

/** Processes of one server. */
export const processes = {
  expected: `a number of processes from 1 to ${mostProcesses}`,
  parse: matching((value) =>
    /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= mostProcesses ? Number(value) : undefined
  )
}

/** Yes or no. */
export const choice = {
  expected: "yes or no",
  parse: matching((value) => value === "yes" ? true : value === "no" ? false : undefined)
}

/** The parts of `name=value,name=value`; undefined: it is no such text, or names one twice. */
const assignments = (value: string): ReadonlyMap<string, string> | undefined => {
  const pairs = value.split(",").map((part) => /^\s*([a-z]+)\s*=\s*(\S+)\s*$/.exec(part)?.slice(1))
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
export const poolSizes = {
  expected: `connections of pools such as ledger=16,reads=12; the pools are ${poolNames.join(", ")}`,
  parse: matching(poolSizesOf)
}

const isSessionSetting = (name: string): name is SessionSetting => sessionSettings.some((each) => each === name)

/** What is sent when a connection begins, or `none`. */
export const startup = {
  expected: `none, or some of ${sessionSettings.join(", ")}, separated by commas`,
  parse: matching((value): ReadonlyArray<SessionSetting> | undefined => {
    if (value === "none") return []
    const names = value.split(",").map((name) => name.trim())
    const known = names.filter(isSessionSetting)
    return known.length === names.length ? known : undefined
  })
}

const mostPlaces = 10_000

const kinds = ["point", "read", "write", "research"] as const

const placesOf = (value: string): AllBounds | undefined => {
  const given = assignments(value)
  if (given === undefined) return undefined
  const places: { -readonly [Kind in keyof AllBounds]: AllBounds[Kind] } = { ...bounds }
  const left = new Set(given.keys())
  for (const kind of kinds) {
    const text = given.get(kind)
    if (text === undefined) continue
    const [, all, each] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []
    const [inAll, perOrganization] = [Number(all ?? 0), Number(each ?? 0)]
    if (perOrganization < 1 || inAll < perOrganization || inAll > mostPlaces) return undefined
    places[kind] = { ...bounds[kind], inAll, perOrganization }
    left.delete(kind)
  }
  return left.size === 0 ? places : undefined
}

/** What runs at once of each kind of work, of all organizations and of one. */
export const places = {
  expected: `places such as read=6/1,write=6/2 (of all organizations / of one); the kinds are ${kinds.join(", ")}`,
  parse: matching(placesOf)
}

/** Standbys that are read from. */
export const replicas = {
  expected: ReplicaHosts.expected,
  secret: true,
  parse: ReplicaHosts.parse
}
