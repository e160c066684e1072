/**
 * The address of replicas as libpq writes it: one or several hosts, separated by commas, each with its port, under one user
 * and database, and `target_session_attrs`. Each host must be one server: where it stands is asked of it, and then it is
 * read from.
 */
import { Option, Redacted } from "effect"

export interface ReplicaHost {
  /** `host:port`, as the operator knows it. */
  readonly name: string
  readonly url: Redacted.Redacted
}

/** Completes "must be". */
export const expected = "a postgres:// URL with one or several hosts, whose target_session_attrs is that of standbys"

export type Hosts = readonly [ReplicaHost, ...ReadonlyArray<ReplicaHost>]

const form = /^(?<start>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#@]+)(?<rest>[/?#].*)?$/

/** Only a standby that replays is ever read from, so that is what these ask for. */
const standbys: ReadonlySet<string> = new Set(["any", "standby", "prefer-standby", "read-only"])

/** None: it is no such address, or asks for a primary. */
export const parse = (address: string): Option.Option<Hosts> => {
  const found = form.exec(address)?.groups
  if (found === undefined) return Option.none()
  const { hosts: named = "", rest = "", start = "" } = found
  const hosts: Array<ReplicaHost> = []
  for (const authority of named.split(",")) {
    const url = URL.parse(`${start}${authority}${rest}`)
    if (authority === "" || url === null || url.hostname === "") return Option.none()
    if (!standbys.has(url.searchParams.get("target_session_attrs") ?? "any")) return Option.none()
    url.searchParams.delete("target_session_attrs")
    hosts.push({ name: `${url.hostname}:${url.port === "" ? "5432" : url.port}`, url: Redacted.make(url.href) })
  }
  const [first, ...others] = hosts
  return first === undefined ? Option.none() : Option.some([first, ...others])
}
