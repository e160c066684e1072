/** A line about a record that something names by id: its name, where it is, and how it stands. */
import { addressOf, Link } from "../app/Router.tsx"
import { StateMark } from "./StateMark.tsx"
import type { NamesById } from "./useNames.ts"
import { joined } from "./Wording.ts"

export const PropertyLine = ({ id, names }: { readonly id: string; readonly names: NamesById }) => {
  const found = names.properties.get(id)
  return found === undefined ? <Link to={addressOf("property", { id })}>A property</Link> : (
    <>
      <Link to={addressOf("property", { id })}>{found.address ?? found.key}</Link>{" "}
      <span className="quiet">{joined([found.city, found.state])}</span> <StateMark state={found.standing} />
    </>
  )
}

export const PersonLine = ({ id, names }: { readonly id: string; readonly names: NamesById }) => {
  const found = names.contacts.get(id)
  return (
    <>
      <Link to={addressOf("person", { id })}>{found?.full_name ?? found?.title ?? "Somebody"}</Link>{" "}
      <span className="quiet">{found?.employer_name}</span>
    </>
  )
}

/** What research is about. */
export const SubjectLine = ({ id, names, type }: {
  readonly type: "property" | "contact" | "organization"
  readonly id: string
  readonly names: NamesById
}) => {
  switch (type) {
    case "property":
      return <PropertyLine id={id} names={names} />
    case "contact":
      return <PersonLine id={id} names={names} />
    case "organization":
      return <Link to={addressOf("firm", { id })}>A firm</Link>
  }
}
