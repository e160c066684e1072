/** Which cell a request belongs to: that of its host name, or that of its key. */
import { cellOf } from "@freehold/core/access/ApiKey"

export interface Routes {
  /** The origin of each cell, by name. */
  readonly cells: ReadonlyMap<string, URL>
  /** Cells by the host name that clients use. */
  readonly hosts: ReadonlyMap<string, string>
  /** The cell of whoever has no key, and of keys that were made before there were cells. */
  readonly otherwise: string | null
}

/** The key of an Authorization header; null: there is none. */
export const bearerOf = (authorization: string | undefined): string | null =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null

const withoutPort = (host: string): string => host.replace(/:\d+$/, "").toLowerCase()

/** The name of the cell; null: nobody's. */
export const cellFor = (
  { cells, hosts, otherwise }: Routes,
  request: { readonly host: string | undefined; readonly bearer: string | null }
): string | null => {
  const byHost = hosts.get(withoutPort(request.host ?? ""))
  if (byHost !== undefined) return byHost
  const named = request.bearer === null ? null : cellOf(request.bearer)
  return named !== null && cells.has(named) ? named : otherwise
}
