/** Imports: a new one with its progress, and how each one went. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useEffect, useRef, useState } from "react"
import style from "../admin/Admin.module.css"
import { Answered, useAsked } from "../admin/Asking.tsx"
import { textIn } from "../part/Form.tsx"
import { asWritten, IssueWords } from "../part/Issues.ts"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Waiting } from "../part/Waiting.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, word } from "../part/Wording.ts"
import { call, type Output, Refused } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useMutation } from "../service/useMutation.ts"
import { ReasonField } from "./Act.tsx"
import own from "./Operator.module.css"
import { Rejects } from "./Rejects.tsx"
import { shellWord } from "./ShellWord.ts"
import { upload } from "./upload.ts"

type Run = Output<"operator_get_import">

const kinds = ["properties", "firms", "contacts", "research", "changes"] as const

type ListedRun = Output<"operator_list_imports">["items"][number]

const states: Readonly<Record<Run["state"], string>> = {
  uploading: "Uploading",
  running: "Loading",
  ended: "Ended",
  failed: "Failed",
  interrupted: "Interrupted"
}

const stateOf = ({ dryRun, state }: ListedRun): string => state === "running" && dryRun ? "Trying" : states[state]

/** How a run stands, in a sentence. */
const standing = (run: Run): string => {
  if (run.fault !== null) return `${states[run.state]}: ${run.fault}`
  if (run.state === "interrupted") {
    return run.dryRun || run.strict
      ? "Interrupted. Nothing was loaded: import it again."
      : "Interrupted. What was loaded stays: import it again, and the rest is loaded."
  }
  if (run.state === "ended" && run.dryRun) return "Ended. It was a dry run: nothing was loaded."
  if (run.state === "ended" && run.strict && run.rejected > 0) {
    return "Ended. Nothing was loaded, since rows were rejected."
  }
  return `${stateOf(run)}.`
}

const isOver = ({ state }: ListedRun): boolean => state !== "uploading" && state !== "running"

const counts = ["Read", "Inserted", "Changed", "Unchanged", "Rejected"].map(numbers)

/** How often a run is asked how far it is. */
const pollMillis = 500

/** The import whose details are shown. */
interface Chosen {
  readonly id: string
  /** Somebody wants to read of it, and it did not begin just now. */
  readonly isOpened: boolean
}

export const ImportsPage = () => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  return (
    <IssueWords value={asWritten}>
      <NewImport onStarted={(id) => setChosen(id === null ? null : { id, isOpened: false })} />
      {chosen !== null && <Followed chosen={chosen} key={chosen.id} />}
      <History onOpen={(id) => setChosen({ id, isOpened: true })} shown={chosen?.id ?? null} />
    </IssueWords>
  )
}

/** null: none was chosen. */
const fileIn = (data: FormData, field: string): File | null => {
  const value = data.get(field)
  return value instanceof File && value.name !== "" ? value : null
}

const isEmpty = new Refused("INVALID_ARGUMENTS", "The file is empty.", {
  issues: [{ field: "file", message: "Expected a file with rows; this one is empty" }]
})

/** What helps whoever has no map yet. */
const FirstMap = ({ given }: { readonly given: FormData }) => {
  const kind = textIn(given, "kind")
  return kind === "properties"
    ? (
      <div>
        A map says which column becomes which field. This proposes one, as <code>map</code> of what it prints; add{" "}
        <code>"format": "csv"</code> to that:
        <code className={style["secret"]}>
          freehold source try {shellWord(fileIn(given, "file")?.name ?? "")} --county FIPS
        </code>
      </div>
    )
    : (
      <div>
        A map says which column becomes which field. This tells the fields:
        <code className={style["secret"]}>freehold import fields {kind}</code>
      </div>
    )
}

/** Whether a file was refused for that it came without a map. */
const isWithoutMap = (error: Error, given: FormData): boolean =>
  error instanceof Refused && Array.isArray(error.detail["issues"]) && fileIn(given, "map") === null
  && error.detail["issues"].some(({ field }) => field === "map")

const NewImport = ({ onStarted }: {
  /** null: a file is being uploaded, which is no import yet. */
  readonly onStarted: (id: string | null) => void
}) => {
  const client = useQueryClient()
  const [sent, setSent] = useState<{ readonly bytes: number; readonly of: number } | null>(null)
  const act = useMutation({
    mutationFn: async (data: FormData) => {
      const file = fileIn(data, "file")
      const kind = kinds.find((each) => each === textIn(data, "kind"))
      onStarted(null)
      if (file === null || kind === undefined) return
      if (file.size === 0) throw isEmpty
      setSent({ bytes: 0, of: file.size })
      const map = await fileIn(data, "map")?.text() ?? null
      const id = await upload(file, {
        kind,
        map,
        strict: data.get("strict") === "on",
        dry_run: data.get("dry") === "on",
        reason: textIn(data, "reason")
      }, (bytes) => setSent({ bytes, of: file.size }))
      onStarted(id)
    },
    onSettled: () => {
      setSent(null)
      return client.invalidateQueries({ queryKey: ["admin"] })
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    act.mutate(new FormData(event.currentTarget))
  }
  return (
    <section className={page["panel"]} aria-labelledby="new">
      <h2 id="new">New import</h2>
      <form className={style["form"]} onChange={() => act.isError && act.reset()} onSubmit={submit}>
        <label>
          What the rows are
          <select name="kind">{kinds.map((kind) => <option key={kind} value={kind}>{word(kind)}</option>)}</select>
        </label>
        <label>
          File: NDJSON, or CSV with a map; gzip is read as it is
          <input name="file" required type="file" />
        </label>
        <label>
          Map of a CSV file, in JSON
          <input accept=".json,application/json" name="map" type="file" />
        </label>
        <label className={style["check"]}>
          <input defaultChecked name="dry" type="checkbox" />
          <span>Dry run: load nothing, show ten rows as they would be loaded and how many would change</span>
        </label>
        <label className={style["check"]}>
          <input name="strict" type="checkbox" />
          <span>Strict: load nothing when a row is rejected</span>
        </label>
        <ReasonField />
        {act.error !== null && <RefusalNotice error={act.error} />}
        {act.isError && isWithoutMap(act.error, act.variables) && <FirstMap given={act.variables} />}
        {sent !== null && (
          <progress aria-label="Uploaded" className={own["progress"]} max={sent.of} value={sent.bytes} />
        )}
        <div className={page["buttons"]}>
          <button disabled={act.isPending} type="submit">{act.isPending ? "Uploading…" : "Upload and import"}</button>
        </div>
      </form>
    </section>
  )
}

const Followed = ({ chosen }: { readonly chosen: Chosen }) => {
  const { id } = chosen
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const followed = useQuery({
    queryKey: ["import", id],
    queryFn: async ({ signal }) => {
      const { data } = await call("operator_get_import", { id }, signal)
      if (isOver(data)) void client.invalidateQueries({ queryKey: ["admin"] })
      return data
    },
    refetchInterval: ({ state: { data } }) => data !== undefined && isOver(data) ? false : pollMillis
  })
  const { error } = followed
  const run = knownOf(followed)
  const isKnown = run !== undefined
  useEffect(() => {
    if (isKnown && chosen.isOpened) heading.current?.focus()
  }, [chosen, isKnown])
  if (run === undefined) return <Waiting error={error} />
  return (
    <section className={page["panel"]} aria-labelledby="followed">
      <h2 id="followed" ref={heading} tabIndex={-1}>{run.name}{run.dryRun ? ", dry run" : ""}</h2>
      {error !== null && <RefusalNotice error={error} />}
      <p role="status" className={run.state === "failed" ? own["fault"] : undefined}>{standing(run)}</p>
      {run.state === "running" && (
        <progress aria-label="Read" className={own["progress"]} max={run.bytes} value={run.bytesRead} />
      )}
      <WideTable label="Counts" columns={counts}>
        <tr>
          <td className="number">{number(run.read)}</td>
          <td className="number">{number(run.inserted)}</td>
          <td className="number">{number(run.updated)}</td>
          <td className="number">{number(run.unchanged)}</td>
          <td className={run.rejected > 0 ? `number ${own["fault"]}` : "number"}>{number(run.rejected)}</td>
        </tr>
      </WideTable>
      {run.note !== null && <p>{run.note}</p>}
      {run.rejected > 0 && isOver(run) && <Rejects id={id} name={run.name} />}
      {run.shown.length > 0 && (
        <div className={own["next"]}>
          <WideTable
            label="First rows"
            caption="The first rows of the file, as they were made, those that are rejected too."
            columns={["Line", "Row"]}
          >
            {run.shown.map(({ line, row }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td className={own["wrap"]}>
                  <code>{JSON.stringify(row)}</code>
                </td>
              </tr>
            ))}
          </WideTable>
        </div>
      )}
    </section>
  )
}

const History = ({ onOpen, shown }: {
  readonly onOpen: (id: string) => void
  /** The one whose details are shown; null: none. */
  readonly shown: string | null
}) => {
  const asked = useAsked("operator_list_imports", {}, { isUnderWay: ({ items }) => !items.every(isOver) })
  return (
    <section className={page["panel"]} aria-labelledby="history">
      <h2 id="history">Imports so far</h2>
      <Answered<"operator_list_imports"> asked={asked}>
        {({ items }) =>
          items.length === 0 ? <p>None yet. Those of the command are told of by the command.</p> : (
            <WideTable
              label="Imports"
              columns={["File", "When and who", "State", ...counts]}
            >
              {items.map((run) => (
                <tr aria-current={run.id === shown ? "true" : undefined} key={run.id}>
                  <th className={own["wrap"]} scope="row">
                    <button className="plain" onClick={() => onOpen(run.id)} type="button">{run.name}</button>
                    <div className={page["quiet"]}>{word(run.kind)}{run.dryRun ? ", dry run" : ""}</div>
                  </th>
                  <td>
                    <span className={page["moment"]}>{momentOf(run.begunAt)}</span>
                    <div className={page["quiet"]}>{run.by}</div>
                  </td>
                  <td className={run.state === "failed" ? own["fault"] : undefined}>{stateOf(run)}</td>
                  <td className="number">{number(run.read)}</td>
                  <td className="number">{number(run.inserted)}</td>
                  <td className="number">{number(run.updated)}</td>
                  <td className="number">{number(run.unchanged)}</td>
                  <td className="number">{number(run.rejected)}</td>
                </tr>
              ))}
            </WideTable>
          )}
      </Answered>
    </section>
  )
}
