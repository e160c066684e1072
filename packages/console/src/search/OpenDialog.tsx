/** Unlocks properties, or reveals people, many at once: what each costs is asked first, and the sum is agreed to. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useRef, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { Facts } from "../part/Facts.tsx"
import { Priced } from "../part/Priced.tsx"
import { Receipts } from "../part/ReceiptLine.tsx"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { number, plural } from "../part/Wording.ts"
import { call, type Output, type Receipt } from "../service/Call.ts"
import { mostAtOnce, partsOf } from "../service/Parts.ts"
import { useBalanceChanged, useBalanceMeanwhile } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"

type Checked = Output<"service_check_access">["properties"][number]

export type Kind = "properties" | "contacts"

const verbs: Readonly<Record<Kind, { readonly title: string; readonly done: string; readonly locked: string }>> = {
  properties: { title: "Unlock", done: "unlocked", locked: "Without research, or outside your area" },
  contacts: { title: "Reveal", done: "revealed", locked: "Outside your area" }
}

const open = async (kind: Kind, id: string, maxCredits: number): Promise<Receipt | null> => {
  const { receipt } = kind === "properties"
    ? await call("service_reveal_property", { id, maxCredits })
    : await call("service_reveal_contact", { id, maxCredits })
  return receipt
}

export const OpenDialog = ({ ids, kind, onClose, onDone }: {
  readonly kind: Kind
  readonly ids: ReadonlyArray<string>
  readonly onDone: (told: ReactNode) => void
  readonly onClose: () => void
}) => {
  const words = verbs[kind]
  const [isBusy, setIsBusy] = useState(false)
  const { data, error } = useQuery({
    queryKey: ["access", kind, ids],
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        partsOf(ids, mostAtOnce).map((part) =>
          call("service_check_access", kind === "properties" ? { property_ids: part } : { contact_ids: part }, signal)
        )
      )
      return answers.flatMap(({ data }) => data[kind])
    },
    staleTime: 0
  })
  return (
    <Dialog
      isBusy={isBusy}
      onClose={onClose}
      title={`${words.title} ${
        kind === "properties" ? plural(ids.length, "property", "properties") : plural(ids.length, "person", "people")
      }`}
    >
      {error !== null && <RefusalNotice error={error} />}
      {data === undefined
        ? error === null && <p role="status">Asking what it costs…</p>
        : <Offer checked={data} kind={kind} onBusy={setIsBusy} onDone={onDone} />}
    </Dialog>
  )
}

const Offer = ({ checked, kind, onBusy, onDone }: {
  readonly checked: ReadonlyArray<Checked>
  readonly kind: Kind
  /** Told when it begins to spend, and when it has ended. */
  readonly onBusy: (isBusy: boolean) => void
  readonly onDone: (told: ReactNode) => void
}) => {
  const client = useQueryClient()
  const balanceChanged = useBalanceChanged()
  const balanceMeanwhile = useBalanceMeanwhile()
  /** Nothing is opened after the one that is under way. */
  const isStopped = useRef(false)
  const [isStopping, setIsStopping] = useState(false)
  const stop = () => {
    isStopped.current = true
    setIsStopping(true)
  }
  const [receipts, setReceipts] = useState<ReadonlyArray<Receipt | null>>([])
  const words = verbs[kind]
  const closed = checked.filter(({ credits, revealed }) => !revealed && credits !== null)
  /** Those that are opened are looked at anew once it ends, and are not closed any more. */
  const [all] = useState(closed.length)
  const price = closed.reduce((sum, { credits }) => sum + (credits ?? 0), 0)
  const start = useMutation({
    mutationFn: async () => {
      // One after the other: each is a charge of its own, and the first refusal ends it. What is done stays done.
      const done = [...receipts]
      for (const { credits, id } of closed) {
        if (isStopped.current) break
        const receipt = await open(kind, id, credits ?? 0)
        done.push(receipt)
        setReceipts([...done])
        if (typeof receipt?.remaining === "number") balanceMeanwhile(receipt.remaining)
      }
      return done
    },
    onMutate: () => {
      isStopped.current = false
      onBusy(true)
    },
    onSuccess: (done) =>
      onDone(
        <>
          {isStopped.current && done.length < all && `Stopped after ${number(done.length)} of ${number(all)}. `}
          <Paid receipts={done} verb={words.done} />
        </>
      ),
    onSettled: async () => {
      balanceChanged(null)
      await client.invalidateQueries()
      setIsStopping(false)
      onBusy(false)
    }
  })
  return (
    <>
      <Facts
        facts={[
          [`To be ${words.done}`, number(closed.length)],
          ["Open already", number(checked.filter(({ revealed }) => revealed).length)],
          [words.locked, number(checked.filter(({ credits }) => credits === null).length)]
        ]}
      />
      {closed.length === 0 ? <p>There is nothing to be {words.done}.</p> : (
        <Priced
          disabled={start.isPending}
          note="Each is charged by itself; what is refused is not charged."
          onClick={() => start.mutate()}
          price={price}
        >
          {`${words.title} ${number(closed.length)}`}
        </Priced>
      )}
      <p role="status">
        {start.isPending && `${number(receipts.length)} of ${number(all)} ${words.done}…`}
        {start.error !== null && receipts.length > 0 && <Paid receipts={receipts} verb={words.done} />}
      </p>
      {start.isPending && (
        <p>
          <button className="plain" disabled={isStopping} onClick={stop} type="button">
            {isStopping ? "Stopping after this one…" : "Stop"}
          </button>
        </p>
      )}
      {start.error !== null && <RefusalNotice done={partOf(receipts.length, all, words.done)} error={start.error} />}
    </>
  )
}

/** What those that are open were charged together. */
const Paid = ({ receipts, verb }: { readonly receipts: ReadonlyArray<Receipt | null>; readonly verb: string }) => {
  const charged = receipts.reduce((sum, receipt) => sum + (receipt?.charged ?? 0), 0)
  return (
    <>
      {`${number(receipts.length)} ${verb}, ${plural(charged, "credit", "credits")} charged. `}
      <Receipts entries={receipts.flatMap((receipt) => receipt?.entries ?? [])} />
    </>
  )
}
