/** Whoever reads pages and says what stands on them, such as a language model. `Claims` decides what counts of it. */
import { Context, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Page, Topic } from "./Claims.ts"

/** It said nothing that can be used; it may another time. */
export class ProposerFailed extends Schema.TaggedError<ProposerFailed>()("ProposerFailed", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Port: what is said to stand on pages. */
export class Proposer extends Context.Service<Proposer, {
  /** The same question may be answered as before. */
  propose(question: {
    readonly topic: Topic
    readonly pages: ReadonlyArray<Page>
  }): Effect.Effect<ReadonlyArray<unknown>, ProposerFailed | TemporarilyUnavailable>
}>()("@freehold/core/research/Proposer") {}
