/**
 * What a finder has read and was told, for a while: pages, so that no site is asked twice, and proposals, so that the same
 * question costs once. It holds nothing that is needed: whatever is gone is read anew.
 */
import { Context, type Duration, type Effect, type Option, type Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** Port: what a finder remembers. */
export class FinderCache extends Context.Service<FinderCache, {
  /** None: nothing is kept under that name, or not any more. */
  read(name: string): Effect.Effect<Option.Option<Schema.Json>, TemporarilyUnavailable>
  /** In place of what is there. */
  write(name: string, value: Schema.Json, keptFor: Duration.Duration): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/research/FinderCache") {}
