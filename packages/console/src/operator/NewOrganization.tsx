/** A new organization by what nearly every one begins with; `OrganizationByDocument` has all the rest. */
import { type FormEvent, useRef, useState } from "react"
import style from "../admin/Admin.module.css"
import { textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { word } from "../part/Wording.ts"
import { Difference, LookButton, useDifference } from "./Difference.tsx"

const plans = ["team", "enterprise"] as const

const documentIn = (data: FormData) => {
  const said = (field: string): string => textIn(data, field).trim()
  return {
    org_id: said("id"),
    name: said("name"),
    plan: said("plan"),
    serviceable_area: { county_fips: said("counties").split(/[\s,;]+/).filter((county) => county !== "") },
    members: [{ email: said("email"), name: said("admin"), role: "admin" }]
  }
}

export const NewOrganization = () => {
  const difference = useDifference()
  const [admin, setAdmin] = useState("")
  const form = useRef<HTMLFormElement>(null)
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setAdmin(textIn(data, "email").trim())
    difference.look(documentIn(data))
  }
  return (
    <section className={page["panel"]} aria-labelledby="new">
      <h2 id="new">New organization</h2>
      <form className={style["form"]} onChange={difference.forget} onSubmit={look} ref={form}>
        <div className={style["columns"]}>
          <label>
            Name
            <input autoComplete="off" maxLength={200} name="name" required />
          </label>
          <label>
            Id, which stays as it is
            <input autoComplete="off" maxLength={64} name="id" placeholder="org_acme" required spellCheck={false} />
          </label>
          <label>
            Plan
            <select name="plan">{plans.map((plan) => <option key={plan} value={plan}>{word(plan)}</option>)}</select>
          </label>
          <label>
            Counties, by five digits
            <input autoComplete="off" name="counties" placeholder="53033, 53061" />
          </label>
          <label>
            First admin
            <input autoComplete="off" maxLength={200} name="admin" required />
          </label>
          <label>
            Their email address
            <input autoComplete="off" maxLength={320} name="email" required type="email" />
          </label>
        </div>
        <LookButton of={difference} />
      </form>
      <Difference admin={admin} isNew of={difference} onApplied={() => form.current?.reset()} />
    </section>
  )
}
