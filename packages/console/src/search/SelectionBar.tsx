/** What can be done with the chosen properties: onto a list, into the pipeline, researched. */
import { useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { number, plural } from "../part/Wording.ts"
import { QualifyDialog } from "../property/QualifyDialog.tsx"
import { call } from "../service/Call.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import { ListDialog } from "./ListDialog.tsx"
import style from "./SearchPage.module.css"

/** How many the service researches in one batch. */
const maximumBatch = 100

export const SelectionBar = ({ chosen, onDone }: {
  readonly chosen: ReadonlySet<string>
  readonly onDone: () => void
}) => {
  const ids = Array.from(chosen)
  const { credits, member, prices } = useSession()
  const balanceChanged = useBalanceChanged()
  const [open, setOpen] = useState<"qualify" | "list" | null>(null)
  const [told, setTold] = useState("")
  const each = prices["research_property"] ?? 0
  const price = each * ids.length

  useEffect(() => {
    const escape = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && document.querySelector("dialog[open]") === null) onDone()
    }
    window.addEventListener("keydown", escape)
    return () => window.removeEventListener("keydown", escape)
  }, [onDone])

  const research = useMutation({
    mutationFn: () => call("service_research_properties", { property_ids: ids, maxCredits: price }),
    onSuccess: ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      setTold(
        `Research of ${plural(data.properties, "property", "properties")} began for ${
          number(data.credits_charged)
        } credits` +
          `${data.skipped.length === 0 ? "." : `; ${data.skipped.length} skipped.`}`
      )
    }
  })
  const close = () => setOpen(null)
  const done = (words: string) => {
    setTold(words)
    close()
  }
  return (
    <section aria-label="Chosen properties" className={style["selection"]}>
      <p>
        <strong>{number(ids.length)} chosen</strong>
      </p>
      <p aria-live="polite" className={style["told"]}>{told}</p>
      {member.role !== "read_only" && (
        <>
          <button onClick={() => setOpen("list")} type="button">Add to list</button>
          <button onClick={() => setOpen("qualify")} type="button">Qualify</button>
          <button
            disabled={research.isPending || ids.length > maximumBatch}
            onClick={() => research.mutate()}
            type="button"
          >
            Research for at most {number(price)} credits
          </button>
          <span className={style["quiet"]}>
            {ids.length > maximumBatch
              ? `At most ${maximumBatch} are researched at once.`
              : `Balance ${number(credits)} → ${
                number(credits - price)
              }; what is open or finds nothing is not charged.`}
          </span>
        </>
      )}
      <button className="plain" onClick={onDone} type="button">Clear (Esc)</button>
      {research.error !== null && <RefusalNotice error={research.error} />}
      {open === "qualify" && <QualifyDialog ids={ids} onClose={close} onDone={done} />}
      {open === "list" && <ListDialog ids={ids} onAdded={done} onClose={close} />}
    </section>
  )
}
