/** Who writes outreach emails: the port. */
import { Context, type Effect, Schema } from "effect"
import type { Contact } from "../contact/Contact.ts"
import type { Draft, DraftWish, Strategy } from "./ResearchRun.ts"

/** What a draft may say. Nothing else is known, and nothing else may be claimed. */
export interface DraftFacts {
  readonly recipient: Pick<Contact, "fullName" | "title" | "roleType" | "employerName">
  /** A property of the recipient that the sender may read; null: none. */
  readonly property: {
    readonly address: string
    readonly city: string | null
    readonly commonName: string | null
    readonly assetCategory: string | null
    readonly buildingSqft: number | null
    readonly numFloors: number | null
    readonly yearBuilt: number | null
  } | null
  readonly strategy: Strategy
  readonly sender: {
    readonly company: string
    /** The person who signs; null: a machine asked. */
    readonly name: string | null
  }
  readonly wish: DraftWish
}

/** No draft came of it. */
export class DraftFailed extends Schema.TaggedError<DraftFailed>()("DraftFailed", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Port: whoever writes the draft of an email. */
export class Drafter extends Context.Service<Drafter, {
  draft(facts: DraftFacts): Effect.Effect<Draft, DraftFailed>
}>()("@freehold/core/research/Drafter") {}
