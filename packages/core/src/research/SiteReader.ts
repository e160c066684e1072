/**
 * Reads the site of a firm: a few pages of one host, chosen by whoever implements it and by nothing that stands on them.
 */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

export interface SitePage {
  readonly address: string
  /** ISO-8601: when it was fetched, which may be a while ago. */
  readonly readAt: string
  readonly text: string
}

export interface SiteReading {
  /** None: it has none that may be read. */
  readonly pages: ReadonlyArray<SitePage>
  /** Why nothing could be read, where that may be otherwise in a while; null: it could, or never will. */
  readonly trouble: string | null
}

/** Port: the pages of a firm's own site. */
export class SiteReader extends Context.Service<SiteReader, {
  /** `site`: the address of the first page. */
  read(site: string): Effect.Effect<SiteReading, TemporarilyUnavailable>
}>()("@freehold/core/research/SiteReader") {}
