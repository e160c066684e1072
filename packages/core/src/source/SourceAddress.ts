/** What is at an address, by what it looks like. */
import type { SourceKind, SourceQuery } from "./SourceDocument.ts"

/** The part of the platform's WHATWG URL that this module uses; `core` is compiled without any platform's types. */
declare const URL: {
  readonly parse: (input: string) => {
    readonly origin: string
    readonly pathname: string
    readonly searchParams: { readonly get: (name: string) => string | null }
  } | null
}

export interface Recognized {
  readonly kind: SourceKind
  readonly address: string
  readonly query: SourceQuery
}

/** A dataset, a layer, a resource, or else a file; undefined: it is no address. */
export const recognize = (address: string): Recognized | undefined => {
  const url = URL.parse(address)
  if (url === null) return undefined
  const { origin, pathname } = url
  const dataset = /\/(?:resource|d|dataset\/[^/]+\/[^/]+|[^/]+\/[^/]+)\/([a-z0-9]{4}-[a-z0-9]{4})(?:\.json)?\/?$/.exec(
    pathname
  )?.[1]
  if (dataset !== undefined) return { kind: "soda", address: `${origin}/resource/${dataset}`, query: {} }
  const layer = /^(.*\/(?:FeatureServer|MapServer)\/\d+)(?:\/query)?\/?$/.exec(pathname)?.[1]
  if (layer !== undefined) return { kind: "feature_server", address: `${origin}${layer}`, query: {} }
  const resource = url.searchParams.get("resource_id")
  if (pathname.endsWith("/api/3/action/datastore_search") && resource !== null) {
    return { kind: "ckan", address: origin, query: { resource_id: resource } }
  }
  return { kind: "file", address, query: {} }
}
