/** A recorded change in words: what it is about, before and after, and why something of it is not shown. */
import style from "../part/Page.module.css"
import { PersonLine, PropertyLine } from "../part/RecordLink.tsx"
import type { NamesById } from "../part/useNames.ts"
import { dayOf, dollars, joined } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import { wordsOf } from "./Kinds.ts"

export type Change = Output<"service_get_changes">["changes"][number]

type Side = Change["evidence"]["before"]

const sideOf = (side: Side): string | null =>
  side === null
    ? null
    : "value" in side
    ? side.value
    : joined([side.date, side.price === null ? null : dollars(side.price), side.document_type]) || null

/** Before and after. */
export const toldOf = ({ after, before }: Change["evidence"]): string =>
  joined([sideOf(before), sideOf(after)], ", now ")

/** Why something is not shown. */
export const withheldOf = ({ dates_withheld, manager_withheld, owner_withheld }: Change["evidence"]): string | null =>
  manager_withheld
    ? "Unlock the property to see who manages it."
    : dates_withheld
    ? "Your plan does not show dates and prices."
    : owner_withheld
    ? "An owner asked not to be listed."
    : null

/** Of which property or person each change is, to be named. */
export const subjectsOf = (changes: ReadonlyArray<Change>) => {
  const ids = (type: Change["subject"]["type"]) =>
    changes.flatMap(({ subject }) => subject.type === type ? [subject.id] : [])
  return { properties: ids("property"), contacts: ids("contact") }
}

export const ChangeLine = (
  { change: { detected_at, evidence, kind, subject, withdrawn }, names }: {
    readonly change: Change
    readonly names: NamesById
  }
) => {
  const told = toldOf(evidence)
  const withheld = withheldOf(evidence)
  return (
    <div>
      <strong>{wordsOf(kind)}</strong>
      {withdrawn && " (taken back)"}
      <div>
        {subject.type === "property"
          ? <PropertyLine id={subject.id} names={names} />
          : <PersonLine id={subject.id} names={names} />}
      </div>
      {told !== "" && <div>{told}</div>}
      {withheld !== null && <div className={style["quiet"]}>{withheld}</div>}
      <div className={style["quiet"]}>{dayOf(detected_at)}</div>
    </div>
  )
}
