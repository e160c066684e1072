/** What was matched and what is proposed: owners that may be firms, and records that may be of one place, for somebody to decide. */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query"
import { type ReactNode, useCallback, useState } from "react"
import { usePaged } from "../admin/Asking.tsx"
import { useFilter } from "../app/useFilter.ts"
import { ChooseAll } from "../part/ChooseAll.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useChosen } from "../part/useChosen.ts"
import { useTyped } from "../part/useTyped.ts"
import { Waiting } from "../part/Waiting.tsx"
import { choices, type Column, numbers, WideTable } from "../part/WideTable.tsx"
import { joined, plural, word } from "../part/Wording.ts"
import { call, type Input, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { type Decidable, DecideDialog, type Decision } from "./DecideDialog.tsx"
import own from "./Operator.module.css"

type State = Input<"operator_list_owner_matches">["state"]
type OwnerMatch = Output<"operator_list_owner_matches">["items"][number]
type Pair = Output<"operator_list_place_matches">["items"][number]

const kinds = { owners: "Owners and firms", places: "Records of one place" } as const
type Kind = keyof typeof kinds

const states = {
  owners: { proposed: "Proposed", tied: "Tied by the rules", accepted: "Accepted", rejected: "Rejected" },
  places: { proposed: "Proposed", accepted: "Merged", rejected: "Kept apart" }
} as const

const isState = (text: string): text is State => Object.hasOwn(states.owners, text)

export const MatchesPage = () => {
  const [search, change] = useFilter()
  const kind: Kind = search.get("what") === "places" ? "places" : "owners"
  const wanted = search.get("state") ?? ""
  const state: State = isState(wanted) && Object.hasOwn(states[kind], wanted) ? wanted : "proposed"
  const onTyped = useCallback((county: string) => change({ county }), [change])
  const [county, setCounty] = useTyped(search.get("county") ?? "", onTyped)
  const fips = county.trim()
  const isCounty = /^\d{5}$/.test(fips)
  const asked = isCounty ? { county_fips: fips } : {}
  return (
    <>
      <form className={own["filter"]} onSubmit={(event) => event.preventDefault()}>
        <label>
          What
          <select
            onChange={({ target: { value } }) => change({ what: value === "places" ? value : "", state: "" })}
            value={kind}
          >
            {Object.entries(kinds).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          State
          <select
            onChange={({ target: { value } }) => change({ state: value === "proposed" ? "" : value })}
            value={state}
          >
            {Object.entries(states[kind]).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          County, by its five digits
          <input
            aria-describedby="no-county"
            inputMode="numeric"
            onChange={({ target }) => setCounty(target.value)}
            value={county}
          />
        </label>
        <p className={own["fault"]} id="no-county" role="status">
          {fips !== "" && !isCounty && "A county has five digits. All counties are shown."}
        </p>
      </form>
      {kind === "owners"
        ? <Owners asked={{ ...asked, state }} key={state} />
        : state !== "tied" && <Places asked={{ ...asked, state }} key={state} />}
    </>
  )
}

const noneInCounty = "None of this county."

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`

const because = (evidence: ReadonlyArray<string>): string =>
  joined(evidence.map((kind, index) => index === 0 ? word(kind) : kind.replaceAll("_", " ")))

const Owners = ({ asked }: { readonly asked: Input<"operator_list_owner_matches"> }) => {
  const found = usePaged(
    ["operator_list_owner_matches", asked],
    (position, signal) => call("operator_list_owner_matches", { ...asked, ...position }, signal)
  )
  return (
    <Review
      columns={["Owner, as the county has it", "Firm", numbers("Sure"), "Why"]}
      decisions={{
        accepted: asked.state === "accepted" || asked.state === "tied" ? null : {
          button: "They are the same",
          says: "The owners’ properties are tied to the firms, and what else was proposed for these owners is rejected."
        },
        rejected: asked.state === "rejected" ? null : {
          button: asked.state === "proposed" ? "They are not" : "Undo: they are not",
          says: "What a match tied is untied again, and it is never proposed any more. It can be taken back here."
        }
      }}
      empty={asked.county_fips !== undefined
        ? noneInCounty
        : "Nothing. Owners are matched by freehold firm match, or by themselves with FREEHOLD_MATCHING=on."}
      found={found}
      label={kinds.owners}
      nameOf={({ firm, owner }: OwnerMatch) => `${owner.name} and ${firm.name}`}
      operation="operator_decide_owner_match"
    >
      {({ confidence, evidence, firm, owner }) => (
        <>
          <th className={own["wrap"]} scope="row">
            {owner.name}
            <div className={page["quiet"]}>
              County {owner.county_fips}, {plural(owner.properties, "property", "properties")}
            </div>
          </th>
          <td className={own["wrap"]}>
            {firm.name}
            <div className={page["quiet"]}>{firm.key}</div>
          </td>
          <td className="number">{percent(confidence)}</td>
          <td className={own["wrap"]}>{because(evidence)}</td>
        </>
      )}
    </Review>
  )
}

const Places = ({ asked }: { readonly asked: Input<"operator_list_place_matches"> }) => {
  const found = usePaged(
    ["operator_list_place_matches", asked],
    (position, signal) => call("operator_list_place_matches", { ...asked, ...position }, signal)
  )
  const isMerged = asked.state === "accepted"
  return (
    <Review
      columns={[{ name: "Retires", kind: "told" }, "Stays", numbers("Sure"), "Why"]}
      decisions={{
        accepted: isMerged ? null : {
          button: "Merge",
          says: "Of each pair one record retires in favour of the other, for every organization at once, for good. "
            + "Nothing is charged."
        },
        rejected: isMerged || asked.state === "rejected" ? null : {
          button: "Keep apart",
          says: "They stay two records, and the pair is never proposed any more. They can be merged later all the same."
        }
      }}
      empty={asked.county_fips !== undefined
        ? noneInCounty
        : "Nothing. Records are compared by freehold property match, or by themselves with FREEHOLD_MATCHING=on."}
      found={found}
      label={kinds.places}
      nameOf={({ from, into }: Pair) => `${from.key} and ${into.key}`}
      operation="operator_decide_place_match"
    >
      {({ confidence, evidence, from, into }) => (
        <>
          <th className={own["wrap"]} scope="row">
            <Paired record={from} />
          </th>
          <td className={own["wrap"]}>
            <Paired record={into} />
          </td>
          <td className="number">{percent(confidence)}</td>
          <td className={own["wrap"]}>{because(evidence)}</td>
        </>
      )}
    </Review>
  )
}

const Paired = ({ record: { address, key, name, source } }: { readonly record: Pair["from"] }) => (
  <>
    {joined([name, address]) || key}
    <div className={page["quiet"]}>{joined([key, source])}</div>
  </>
)

interface Found<Item> {
  readonly items: ReadonlyArray<Item>
}

/** What was found, a row each, to be chosen and decided about. */
const Review = <Item extends { readonly id: string }>(
  { children, columns, decisions, empty, found, label, nameOf, operation }: {
    readonly label: string
    readonly empty: string
    readonly columns: ReadonlyArray<Column>
    readonly found: UseInfiniteQueryResult<InfiniteData<Found<Item>>>
    readonly operation: Decidable
    /** What can be decided; null: not that. */
    readonly decisions: Readonly<Record<Decision, { readonly button: string; readonly says: string } | null>>
    readonly nameOf: (item: Item) => string
    /** The cells of a row. */
    readonly children: (item: Item) => ReactNode
  }
) => {
  const { choose, chosen, clear, toggle } = useChosen()
  const [decision, setDecision] = useState<Decision | null>(null)
  const [told, setTold] = useState("")
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) return <Waiting error={error} />
  const items = data.pages.flatMap((each) => each.items)
  const picked = items.filter(({ id }) => chosen.has(id))
  const asked = decision === null ? null : decisions[decision]
  const canDecide = decisions.accepted !== null || decisions.rejected !== null
  return (
    <section aria-label={label} className={page["panel"]}>
      {canDecide && items.length > 0 && <ChooseAll chosen={chosen} ids={items.map(({ id }) => id)} onChoose={choose} />}
      {items.length === 0 ?
        <p>{empty}</p> :
        (
          <WideTable
            columns={[...canDecide ? [choices] : [], ...columns]}
            label={label}
          >
            {items.map((item) => (
              <tr key={item.id}>
                {canDecide && (
                  <td>
                    <input
                      aria-label={`Choose ${nameOf(item)}`}
                      checked={chosen.has(item.id)}
                      onChange={() => toggle(item.id)}
                      type="checkbox"
                    />
                  </td>
                )}
                {children(item)}
              </tr>
            ))}
          </WideTable>
        )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
      <p role="status">{told}</p>
      {canDecide && items.length > 0 && (
        <div className={`${page["buttons"]} ${own["deciding"]}`}>
          {(["accepted", "rejected"] as const).map((each) => {
            const offered = decisions[each]
            return offered !== null && (
              <button
                className={each === "rejected" ? "plain" : undefined}
                disabled={picked.length === 0}
                key={each}
                onClick={() => setDecision(each)}
                type="button"
              >
                {`${offered.button} (${picked.length})`}
              </button>
            )
          })}
        </div>
      )}
      {decision !== null && asked !== null && (
        <DecideDialog
          decision={decision}
          items={picked.map((item) => ({ id: item.id, name: nameOf(item) }))}
          onClose={() => setDecision(null)}
          onDone={(words) => {
            setTold(words)
            clear()
          }}
          operation={operation}
          says={asked.says}
          title={asked.button}
        />
      )}
    </section>
  )
}
