/** The rows of an import that were rejected: the first of them with their reasons, and all of them as a file. */
import { useQuery } from "@tanstack/react-query"
import { save } from "../admin/LedgerCsv.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { call } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import own from "./Operator.module.css"
import { rejectsOf } from "./upload.ts"

/** So many faults are shown. */
const shown = 10

/** A line of the rejects, as `freehold import --rejects` writes it. */
interface Reject {
  readonly line: number
  readonly field: string | null
  readonly reason: string
  readonly row: unknown
}

const firstOf = async (id: string, signal: AbortSignal): Promise<ReadonlyArray<Reject>> => {
  const { data: { texts } } = await call("operator_list_rejects", { id, after: 0 }, signal)
  return texts.join("").split("\n", shown).filter((line) => line !== "").map((line) => JSON.parse(line))
}

export const Rejects = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { data: first = [], error } = useQuery({
    queryKey: ["rejects", id],
    queryFn: ({ signal }) => firstOf(id, signal)
  })
  const load = useMutation({
    mutationFn: async () => save(`${name}.rejects.ndjson`, await rejectsOf(id))
  })
  return (
    <div className={own["next"]}>
      {error !== null && <RefusalNotice error={error} />}
      {first.length > 0 && (
        <WideTable
          caption="The first faults of rejected rows."
          columns={["Line", "Field", "What is wrong", "Row"]}
          label="Rejected rows"
        >
          {first.map(({ field, line, reason, row }) => (
            <tr key={`${line} ${field} ${reason}`}>
              <th scope="row">{line}</th>
              <td>{field ?? "–"}</td>
              <td className={own["wrap"]}>{reason}</td>
              <td className={own["wrap"]}>
                <code>{typeof row === "string" ? row : JSON.stringify(row)}</code>
              </td>
            </tr>
          ))}
        </WideTable>
      )}
      <p>
        <button className="plain" disabled={load.isPending} onClick={() => load.mutate()} type="button">
          Save the rejected rows with their reasons
        </button>
      </p>
      {load.error !== null && <RefusalNotice error={load.error} />}
    </div>
  )
}
