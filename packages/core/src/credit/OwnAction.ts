/**
 * An action that an application around the core sells for credits: its name and its price.
 *
 * Freehold's own actions have the price table (`Price`); these are the embedding application's. An organization pays
 * for one action about one subject once; from then on it has that subject for good, until the charge is refunded.
 *
 * *Gotchas.* The constructor throws on a name or a price that cannot be: actions are constants of a program, so a wrong
 * one is found when the program starts.
 */
import { Schema } from "effect"
import { prices } from "./Price.ts"

/** A ledger holds it as `action`; none of Freehold's, so that an entry says by itself whose action it was. */
const Name = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,63}$/, { message: "Expected 1 to 64 lower-case letters, digits or '_'" }),
  Schema.makeFilter((name: string) =>
    !Object.hasOwn(prices, name) || "Expected a name that is not one of Freehold's actions"
  )
)

/** Something that an application around the core sells for credits: its name and its price. */
export class OwnAction extends Schema.Class<OwnAction>("@freehold/core/credit/OwnAction")({
  name: Name,
  /** Whole credits. */
  price: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
}) {}

/** What an own action is about, in the application's own terms: a report's number, say. */
export const OwnSubjectId = Schema.String.check(
  Schema.makeFilter((id: string) =>
    id.length >= 1 && id.length <= 200 && !id.includes("\0") && id.isWellFormed()
    || "Expected 1 to 200 characters without NUL"
  )
)
