/** The ledger of an organization, the newest first; each charge that stands can be given back. */
import { useState } from "react"
import { useChange, usePaged } from "../admin/Asking.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, word } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { Act } from "./Act.tsx"
import own from "./Operator.module.css"
import { useBalance } from "./useBalance.ts"

type Entry = Output<"operator_list_ledger">["entries"][number]

export const LedgerTable = ({ orgId }: { readonly orgId: string }) => {
  const [refunded, setRefunded] = useState<Entry | null>(null)
  const found = usePaged(
    ["operator_list_ledger", orgId],
    (position, signal) => call("operator_list_ledger", { org_id: orgId, ...position }, signal)
  )
  const { error } = found
  const data = knownOf(found)
  const entries = data?.pages.flatMap(({ entries }) => entries) ?? []
  const given = new Set(entries.map(({ refund_of }) => refund_of))
  return (
    <section className={page["panel"]} aria-labelledby="ledger">
      <h2 id="ledger">Ledger</h2>
      {entries.length === 0 ?
        <p>{data !== undefined ? "Nothing yet." : error === null ? "One moment…" : ""}</p> :
        (
          <WideTable
            label="The ledger"
            columns={[
              "Entry",
              "When",
              "What",
              "About",
              numbers("Credits"),
              numbers("Balance after"),
              "Who",
              "Give back"
            ]}
          >
            {entries.map((entry) => (
              <tr key={entry.entry}>
                <th scope="row">{entry.entry}</th>
                <td className={page["moment"]}>{momentOf(entry.at)}</td>
                <td>{word(entry.action === null ? entry.kind : `${entry.kind}: ${entry.action}`)}</td>
                <td className={own["wrap"]}>{entry.ref ?? entry.subject_name ?? entry.subject_id ?? "–"}</td>
                <td className="number">{number(entry.credits)}</td>
                <td className="number">{number(entry.balance_after)}</td>
                <td>{entry.actor.name ?? word(entry.actor.kind)}</td>
                <td>
                  {entry.kind === "charge" && (given.has(entry.entry) ? "Given back" : (
                    <button
                      aria-label={`Give back entry ${entry.entry}`}
                      className="plain"
                      onClick={() => setRefunded(entry)}
                      type="button"
                    >
                      Give back
                    </button>
                  ))}
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
      {refunded !== null && (
        <Refund
          entry={refunded}
          onClose={() => setRefunded(null)}
          orgId={orgId}
        />
      )}
    </section>
  )
}

const Refund = ({ entry, onClose, orgId }: {
  readonly orgId: string
  readonly entry: Entry
  readonly onClose: () => void
}) => {
  const act = useChange("operator_refund_charge")
  const balance = useBalance(orgId)
  return (
    <Act
      act={act}
      button={`Give ${number(-entry.credits)} credits back`}
      input={(_, reason) => ({ org_id: orgId, entry: entry.entry, reason })}
      onClose={onClose}
      says={
        <p>
          Gives entry {entry.entry}{" "}
          ({word(entry.action ?? entry.kind)}) back to where it came from, and closes what it had opened. Balance:{" "}
          {balance()}, then{" "}
          {balance(-entry.credits)}, less what has expired since. The organization reads your reason in its ledger.
        </p>
      }
      title={`Give back entry ${entry.entry}`}
    />
  )
}
