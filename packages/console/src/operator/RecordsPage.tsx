/** The records themselves: who is not listed, and two records that are one. */
import { type FormEvent, useState } from "react"
import style from "../admin/Admin.module.css"
import { Answered, useAsked, useChange } from "../admin/Asking.tsx"
import { textIn } from "../part/Form.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, plural, word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import { Act, ReasonField } from "./Act.tsx"
import own from "./Operator.module.css"

type Suppressed = Output<"operator_list_suppressions">["items"][number]

const kinds = {
  contact: "A person, by id or key",
  owner: "An owner, by the whole name",
  property: "The owners of a property, by its id or key"
} as const

const isKind = (text: string): text is keyof typeof kinds => Object.hasOwn(kinds, text)

export const RecordsPage = () => (
  <>
    <Suppress />
    <Merge />
  </>
)

const nameOf = ({ id, key, name }: Suppressed): string => name ?? key ?? id ?? "unknown"

const Suppress = () => {
  const asked = useAsked("operator_list_suppressions", {})
  const suppress = useChange("operator_suppress")
  const [lifted, setLifted] = useState<Suppressed | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const kind = textIn(data, "kind")
    if (!isKind(kind)) return
    suppress.mutate({ kind, named: textIn(data, "named").trim(), reason: textIn(data, "reason") }, {
      onSuccess: () => form.reset()
    })
  }
  return (
    <section className={page["panel"]} aria-labelledby="suppress">
      <h2 id="suppress">Who asked not to be listed</h2>
      <p>
        From the moment it is recorded nobody is told of the person or the owner, in no answer, count or webhook,
        whoever paid for it before. Rows that are imported later are held back too. It can be lifted.
      </p>
      <form className={style["form"]} onChange={() => suppress.isError && suppress.reset()} onSubmit={submit}>
        <div className={style["columns"]}>
          <label>
            Who
            <select name="kind">
              {Object.entries(kinds).map(([kind, label]) => <option key={kind} value={kind}>{label}</option>)}
            </select>
          </label>
          <label>
            Id, key or name
            <input autoComplete="off" maxLength={500} name="named" required />
          </label>
        </div>
        <ReasonField />
        {suppress.error !== null && <RefusalNotice error={suppress.error} />}
        {suppress.data !== undefined && (
          <p role="status">
            {suppress.data.outcome === "unchanged"
              ? "That is so already."
              : `Done: ${plural(suppress.data.properties, "property shows", "properties show")} less.`}
          </p>
        )}
        <div className={page["buttons"]}>
          <button disabled={suppress.isPending} type="submit">Stop listing</button>
        </div>
      </form>
      <Answered<"operator_list_suppressions"> asked={asked}>
        {({ items }) =>
          items.length === 0 ?
            <p>Nobody so far.</p> :
            (
              <WideTable label="Who is not listed" columns={["Who", "Kind", "Since", "List again"]}>
                {items.map((item) => (
                  <tr key={`${item.kind} ${nameOf(item)}`}>
                    <th scope="row" className={own["wrap"]}>{nameOf(item)}</th>
                    <td>{word(item.kind)}</td>
                    <td className={page["moment"]}>{momentOf(item.at)}</td>
                    <td>
                      <button
                        aria-label={`List again: ${nameOf(item)}`}
                        className="plain"
                        onClick={() => setLifted(item)}
                        type="button"
                      >
                        List again
                      </button>
                    </td>
                  </tr>
                ))}
              </WideTable>
            )}
      </Answered>
      {lifted !== null && <Lift item={lifted} onClose={() => setLifted(null)} />}
    </section>
  )
}

const Lift = ({ item, onClose }: { readonly item: Suppressed; readonly onClose: () => void }) => {
  const act = useChange("operator_lift_suppression")
  return (
    <Act
      act={act}
      button="List again"
      input={(_, reason) => ({ kind: item.kind, named: nameOf(item), reason })}
      onClose={onClose}
      says={<p>Shows {nameOf(item)} to everybody again, as if nothing had been.</p>}
      title="List again"
    />
  )
}

const Merge = () => {
  const plan = useChange("operator_plan_merge")
  const merge = useChange("operator_merge_properties")
  const [pair, setPair] = useState<{ readonly from: string; readonly into: string } | null>(null)
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const given = { from: textIn(data, "from").trim(), into: textIn(data, "into").trim() }
    setPair(given)
    merge.reset()
    plan.mutate(given)
  }
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = textIn(new FormData(event.currentTarget), "reason")
    if (pair !== null) merge.mutate({ ...pair, reason }, { onSuccess: () => plan.reset() })
  }
  return (
    <section className={page["panel"]} aria-labelledby="merge">
      <h2 id="merge">Two records of one property</h2>
      <form className={style["form"]} onChange={() => plan.isIdle || plan.reset()} onSubmit={look}>
        <div className={style["columns"]}>
          <label>
            Retire this one (id or key)
            <input autoComplete="off" maxLength={500} name="from" required />
          </label>
          <label>
            In favour of this one
            <input autoComplete="off" maxLength={500} name="into" required />
          </label>
        </div>
        {plan.error !== null && <RefusalNotice error={plan.error} />}
        <div className={page["buttons"]}>
          <button disabled={plan.isPending} type="submit">Show what would move</button>
        </div>
      </form>
      {plan.data !== undefined && (
        <form
          aria-label="What would move"
          className={`${style["form"]} ${own["next"]}`}
          onChange={() => merge.isError && merge.reset()}
          onSubmit={confirm}
        >
          <Moved data={plan.data} />
          {merge.error !== null && <RefusalNotice error={merge.error} />}
          {plan.data.outcome === "merged" && (
            <>
              <p>It retires for every organization at once, for good. Nothing is charged.</p>
              <ReasonField />
              <div className={page["buttons"]}>
                <button disabled={merge.isPending} type="submit">Merge them</button>
              </div>
            </>
          )}
        </form>
      )}
      {merge.data !== undefined && <p role="status">{merge.data.from.key} was merged into {merge.data.into.key}.</p>}
    </section>
  )
}

const Moved = ({ data: { from, into, moved, outcome } }: { readonly data: Output<"operator_plan_merge"> }) =>
  outcome === "unchanged" ?
    <p role="status">{from.key} was merged into {into.key} before.</p> :
    (
      <WideTable
        isNarrow
        label="What would move"
        caption={`From ${from.key} to ${into.key}; of all else there is nothing`}
        columns={["What", numbers("How many")]}
      >
        {Object.entries(moved).filter(([, count]) => count > 0).map(([what, count]) => (
          <tr key={what}>
            <th scope="row">{word(what)}</th>
            <td className="number">{number(count)}</td>
          </tr>
        ))}
      </WideTable>
    )
