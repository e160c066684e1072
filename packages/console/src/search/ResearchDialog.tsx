/** Researches properties as one batch: the price is asked first, with what would be left out and why. */
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { Dialog } from "../part/Dialog.tsx"
import { Facts } from "../part/Facts.tsx"
import { Priced } from "../part/Priced.tsx"
import { Receipts } from "../part/ReceiptLine.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { number, plural, word } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useBalanceChanged, useBalanceTold } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"

/** How many the service researches in one batch. */
export const maximumBatch = 100

export const ResearchDialog = ({ ids, onClose, onDone }: {
  readonly ids: ReadonlyArray<string>
  readonly onDone: (told: ReactNode) => void
  readonly onClose: () => void
}) => {
  const balanceChanged = useBalanceChanged()
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ["price of research", ids],
    queryFn: async ({ signal }) =>
      (await call("service_price_research", { action: "research_property", property_ids: ids }, signal)).data,
    staleTime: 0
  })
  useBalanceTold(data?.balance, dataUpdatedAt)
  const price = data?.projectedCredits ?? 0
  const start = useMutation({
    mutationFn: () => call("service_research_properties", { property_ids: ids, maxCredits: price }),
    onSuccess: ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      onDone(
        <>
          {`Research of ${plural(data.properties, "property", "properties")} began for ${
            plural(data.credits_charged, "credit", "credits")
          }${data.skipped.length === 0 ? "." : `; ${data.skipped.length} skipped.`} `}
          <Receipts entries={receipt?.entries ?? []} />{" "}
          <Link to={addressOf("run", { id: data.run_id })}>Follow it</Link>
        </>
      )
    }
  })
  const skipped = Map.groupBy(data?.items.filter(({ refused }) => refused !== null) ?? [], ({ refused }) => refused)
  const wanted = data?.items.filter(({ refused }) => refused === null).length ?? 0
  return (
    <Dialog onClose={onClose} title={`Research ${plural(ids.length, "property", "properties")}`}>
      {error !== null && <RefusalNotice error={error} />}
      {data === undefined ? error === null && <p role="status">Asking what it costs…</p> : (
        <>
          <Facts
            facts={[
              ["To be researched", number(wanted)],
              ...Array.from(
                skipped,
                ([reason, items]) => [`Left out: ${word((reason ?? "").toLowerCase())}`, number(items.length)] as const
              )
            ]}
          />
          {wanted === 0 ? <p>There is nothing to be researched.</p> : (
            <Priced
              disabled={start.isPending}
              note="The unlock is included; what finds nothing new is given back."
              onClick={() => start.mutate()}
              price={price}
            >
              {`Research ${number(wanted)}`}
            </Priced>
          )}
        </>
      )}
      {start.error !== null && <RefusalNotice error={start.error} />}
    </Dialog>
  )
}
