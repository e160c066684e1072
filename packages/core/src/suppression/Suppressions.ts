/**
 * Who asked not to be listed: a person, or an owner by name or by property.
 *
 * From the moment a suppression is recorded nobody is told of the person or the owner any more, whoever paid for it
 * before: a suppressed person is attached to nothing (no property, no firm, no count), a suppressed owner stands in no
 * field that names an owner. What is loaded later is held back like what was there. Lifting it shows everything again.
 *
 * - A person: the contact.
 * - An owner by name: every property with that name in one of its owner fields withholds all of them, together with the
 *   firms that own it by that name; a beneficial owner of that name is withheld. `OwnerName` says when names are equal.
 * - An owner by property: the owners of this one property, whatever their names, until it is lifted.
 *
 * operator.md "suppress"; decisions, sections 2, 7 and 20.
 */
import { Context, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** `named`: an id or a key. */
export type SuppressionSubject =
  | { readonly _tag: "Contact"; readonly named: string }
  | { readonly _tag: "Property"; readonly named: string }
  | { readonly _tag: "Owner"; readonly name: string }

/** As the operator reads it; what is erased is found in the operator's log by it. */
export const nameOf = (subject: SuppressionSubject): string =>
  subject._tag === "Owner" ? `owner "${subject.name}"` : `${subject._tag.toLowerCase()} ${subject.named}`

export interface Suppression {
  readonly kind: "contact" | "owner" | "property"
  /** Of the contact or the property; null for a name. */
  readonly id: string | null
  readonly key: string | null
  /** Of an owner, as it was given first. */
  readonly name: string | null
  /** ISO-8601. */
  readonly at: string
}

export interface SuppressionChange {
  readonly outcome: "created" | "lifted" | "unchanged"
  readonly suppression: Suppression
  /** How many properties show less, or more again, than before. */
  readonly properties: number
}

/** Port: who asked not to be listed. */
export class Suppressions extends Context.Service<Suppressions, {
  /** None: there is no such contact or property. Recorded once; the second time changes nothing. */
  suppress(subject: SuppressionSubject): Effect.Effect<Option.Option<SuppressionChange>, TemporarilyUnavailable>

  /** None: it was not suppressed. */
  lift(subject: SuppressionSubject): Effect.Effect<Option.Option<SuppressionChange>, TemporarilyUnavailable>

  /**
   * Suppresses the people of that id, key or email for good and removes what is known of them: their record but for its id,
   * their ties, what research found and wrote about them, and what was sent and tells of them. What organizations wrote
   * themselves stays theirs. A hash of key, email and profile is kept, by which an import refuses them. Answers their ids;
   * none: there is nobody of that name.
   */
  erase(named: string): Effect.Effect<ReadonlyArray<string>, TemporarilyUnavailable>

  /** All of them, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<Suppression>, TemporarilyUnavailable>
}>()("@freehold/core/suppression/Suppressions") {}
