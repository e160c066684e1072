/**
 * What changed about a property or a person between two loads of its record, and what is taken back.
 *
 * A change is found where something was known and is known otherwise now: what was not known before is no change, so a first
 * import tells nothing. Another spelling of one name is none either. What returns to what it was before the last change that
 * stands, or is not known any more, takes that change back.
 */
import { ownerNameKey } from "../suppression/OwnerName.ts"
import type { ChangeSide } from "./Changes.ts"
import type { SignalKind } from "./SignalKind.ts"

/** What of a record changes are found by; null: not known. */
export interface Watched {
  readonly owner?: string | null
  readonly saleDate?: string | null
  readonly salePrice?: number | null
  readonly manager?: string | null
  readonly title?: string | null
  readonly employer?: string | null
}

export type Found =
  /** It is otherwise now. */
  | { readonly _tag: "Changed"; readonly kind: FoundKind; readonly before: ChangeSide; readonly after: ChangeSide }
  /** What the last change of this kind brought does not stand any more: `value` does, null where nothing is known. */
  | { readonly _tag: "Left"; readonly kind: FoundKind; readonly left: string | null; readonly value: string | null }

export type FoundKind = SignalKind

const isSame = (one: string, other: string): boolean => ownerNameKey(one) === ownerNameKey(other)

/** A name that is another one, or is not known any more. */
const named = (
  kind: FoundKind,
  before: string | null | undefined,
  after: string | null | undefined
): ReadonlyArray<Found> => {
  if (before === undefined || before === null || after === undefined) return []
  if (after === null) return [{ _tag: "Left", kind, left: before, value: null }]
  return isSame(before, after) ? [] : [
    { _tag: "Left", kind, left: before, value: after },
    { _tag: "Changed", kind, before: { value: before }, after: { value: after } }
  ]
}

/** Who has no employer any more has left; who has the same one again had not. */
const employed = ({ employer: before = null }: Watched, { employer: after }: Watched): ReadonlyArray<Found> => {
  if (before !== null && after === null) {
    return [{ _tag: "Changed", kind: "contact_departure", before: { value: before }, after: { value: null } }]
  }
  return before === null && typeof after === "string"
    ? [{ _tag: "Left", kind: "contact_departure", left: null, value: after }]
    : named("contact_employer_change", before, after)
}

const sold = (before: Watched, after: Watched): ReadonlyArray<Found> => {
  const [from, to] = [before.saleDate ?? null, after.saleDate]
  if (from === null || to === undefined || from === to) return []
  return to !== null && to > from
    ? [{
      _tag: "Changed",
      kind: "sale",
      before: { date: from, price: before.salePrice ?? null },
      after: { date: to, price: after.salePrice ?? null }
    }]
    : [{ _tag: "Left", kind: "sale", left: from, value: to }]
}

/** Everything that is to be looked at; a field of `after` that is absent stays. */
export const found = (before: Watched, after: Watched): ReadonlyArray<Found> => [
  ...named("ownership_transfer", before.owner, after.owner),
  ...sold(before, after),
  ...named("manager_change", before.manager, after.manager),
  ...named("contact_title_change", before.title, after.title),
  ...employed(before, after)
]

/** A change that was found earlier and stands. */
export interface Standing {
  readonly kind: FoundKind
  readonly before: ChangeSide
  readonly after: ChangeSide
}

const valueOf = (kind: FoundKind, side: ChangeSide): string | null => {
  const value = kind === "sale" ? side["date"] : side["value"]
  return typeof value === "string" ? value : null
}

/** Whether what is known now takes the last change of its kind that stands back: it had brought what does not stand any more. */
export const takesBack = (now: Extract<Found, { readonly _tag: "Left" }>, last: Standing): boolean => {
  if (last.kind !== now.kind) return false
  const [was, brought] = [valueOf(last.kind, last.before), valueOf(last.kind, last.after)]
  const same = (one: string | null, other: string | null) =>
    one === null || other === null ? one === other : last.kind === "sale" ? one === other : isSame(one, other)
  return same(brought, now.left) && (now.value === null || last.kind === "sale" || same(was, now.value))
}
