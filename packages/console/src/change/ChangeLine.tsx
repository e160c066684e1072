/** A recorded change in words: what it is about, before and after, and why something of it is not shown. */
import { addressOf, Link } from "../app/Router.tsx"
import style from "../part/Page.module.css"
import { dayOf, dollars, joined } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

export type Change = Output<"service_get_changes">["changes"][number]

type Side = Change["evidence"]["before"]

const kinds: Readonly<Record<Change["kind"], string>> = {
  ownership_transfer: "The owner of record changed",
  sale: "A sale was recorded",
  manager_change: "The manager changed",
  contact_departure: "Somebody left their employer",
  contact_title_change: "Somebody's title changed",
  contact_employer_change: "Somebody changed employers"
}

const sideOf = (side: Side): string | null =>
  side === null
    ? null
    : "value" in side
    ? side.value
    : joined([side.date, side.price === null ? null : dollars(side.price), side.document_type]) || null

const withheldOf = ({ dates_withheld, manager_withheld, owner_withheld }: Change["evidence"]): string | null =>
  manager_withheld
    ? "Unlock the property to see who manages it."
    : dates_withheld
    ? "Your plan does not show dates and prices."
    : owner_withheld
    ? "An owner asked not to be listed."
    : null

export const ChangeLine = (
  { change: { detected_at, evidence, kind, subject, withdrawn } }: { readonly change: Change }
) => {
  const told = joined([sideOf(evidence.before), sideOf(evidence.after)], " → ")
  const withheld = withheldOf(evidence)
  const words = Object.hasOwn(kinds, kind) ? kinds[kind] : kind
  return (
    <>
      <div>
        {subject.type === "property"
          ? <Link to={addressOf("property", { id: subject.id })}>{words}</Link>
          : <strong>{words}</strong>}
        {withdrawn && <strong>(taken back)</strong>}
        {told !== "" && <div>{told}</div>}
        {withheld !== null && <div className={style["quiet"]}>{withheld}</div>}
      </div>
      <span className={style["quiet"]}>{dayOf(detected_at)}</span>
    </>
  )
}
