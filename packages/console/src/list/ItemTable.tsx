/** What is on a list, a row each, to be chosen and opened. */
import { addressOf, Link } from "../app/Router.tsx"
import { ChooseAll } from "../part/ChooseAll.tsx"
import style from "../part/Page.module.css"
import { StateMark } from "../part/StateMark.tsx"
import { useNames } from "../part/useNames.ts"
import { choices, WideTable } from "../part/WideTable.tsx"
import { dayOf, joined, word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

export type Item = Output<"service_get_list_items">["items"][number]

const idOf = (item: Item): string => "property_id" in item ? item.property_id : item.contact_id

export const ItemTable = ({ chosen, items, onChoose, onToggle, type }: {
  readonly type: "properties" | "contacts"
  readonly items: ReadonlyArray<Item>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onToggle: (id: string) => void
}) => {
  const names = useNames(type === "properties" ? { properties: items.map(idOf) } : { contacts: items.map(idOf) })
  const nameOf = (item: Item): string =>
    "property_id" in item
      ? item.address ?? item.key
      : names.contacts.get(item.contact_id)?.full_name ?? item.title ?? "Somebody"
  return (
    <>
      <ChooseAll chosen={chosen} ids={items.map(idOf)} onChoose={onChoose} />
      <WideTable
        columns={[
          choices,
          type === "properties" ? "Property" : "Person",
          type === "properties" ? "Category" : "Role",
          "State",
          "Added"
        ]}
        isFramed
        label="What is on the list"
      >
        {items.map((item) => {
          const id = idOf(item)
          const standing = names.properties.get(id)?.standing
          return (
            <tr key={id}>
              <td>
                <input
                  aria-label={`Choose ${nameOf(item)}`}
                  checked={chosen.has(id)}
                  onChange={() => onToggle(id)}
                  type="checkbox"
                />
              </td>
              <td>
                <Link to={addressOf("property_id" in item ? "property" : "person", { id })}>{nameOf(item)}</Link>
                <div className={style["quiet"]}>
                  {"property_id" in item
                    ? joined([item.city, item.state, item.zip])
                    : joined([item.title, item.employer_name])}
                </div>
              </td>
              <td>
                {"property_id" in item
                  ? item.asset_category ?? "–"
                  : item.role_type === null
                  ? "–"
                  : word(item.role_type)}
              </td>
              <td>
                {standing !== undefined && <StateMark state={standing} />}
                {type === "contacts" && (names.contacts.get(id)?.revealed === true ? "open" : "locked")}
              </td>
              <td>{dayOf(item.added_at)}</td>
            </tr>
          )
        })}
      </WideTable>
    </>
  )
}
