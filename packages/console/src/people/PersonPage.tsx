/** One person: what they do and where, how to reach them once revealed, and finding out more. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { AddToList } from "../list/AddToList.tsx"
import { Facts } from "../part/Facts.tsx"
import { Priced } from "../part/Priced.tsx"
import { ReceiptLine } from "../part/ReceiptLine.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useOpened } from "../part/Standing.ts"
import { Waiting } from "../part/Waiting.tsx"
import { isWeb } from "../part/Web.ts"
import { dayOf, joined, word } from "../part/Wording.ts"
import { Changes } from "../property/Changes.tsx"
import style from "../property/PropertyPage.module.css"
import { RunStatus } from "../property/RunStatus.tsx"
import { useRun } from "../property/useRun.ts"
import { call, type Output, type Receipt } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { Approach } from "./Approach.tsx"
import { EmailOf, PhoneOf } from "./Ways.tsx"

type Person = Output<"service_get_contact">

export const PersonPage = ({ id }: { readonly id: string }) => {
  const found = useQuery({
    queryKey: ["person", id],
    queryFn: async ({ signal }) => (await call("service_get_contact", { id }, signal)).data
  })
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) {
    return (
      <main id="main" className={style["page"]}>
        <h1 tabIndex={-1}>Person</h1>
        <Waiting error={error} />
      </main>
    )
  }
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>{data.revealed ? data.fullName : data.title ?? "Somebody"}</h1>
      <p className="quiet">
        {joined([data.revealed ? data.title : "name locked", data.employer_name, data.location], " · ")}
      </p>
      {error !== null && <RefusalNotice error={error} />}
      <div className={style["columns"]}>
        <div>
          <Reach person={data} />
          {data.revealed && <Approaching person={data} />}
        </div>
        <div>
          <Properties person={data} />
          <Changes of={{ contact_id: id }} />
        </div>
      </div>
    </main>
  )
}

const Approaching = ({ person }: { readonly person: Person }) => {
  const { member, organization: { features } } = useSession()
  return features.enrichments && member.role !== "read_only" ? <Approach person={person} /> : null
}

const Reach = ({ person }: { readonly person: Person }) => {
  const { member, organization } = useSession()
  const opened = useOpened()
  const balanceChanged = useBalanceChanged()
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const reveal = useMutation({
    mutationFn: (maxCredits: number) => call("service_reveal_contact", { id: person.contact_id, maxCredits }),
    onSuccess: async ({ receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      setReceipt(receipt)
      await opened()
    }
  })
  return (
    <section aria-labelledby="reach">
      <h2 id="reach">Person</h2>
      <Facts
        facts={[
          ["Role", person.role_type === null ? null : word(person.role_type)],
          ["Seniority", person.seniority === "unknown" ? null : word(person.seniority)],
          [
            "Email",
            person.revealed
              ? person.email === null ? "not known" : <EmailOf person={person} />
              : person.email_validated
              ? "there is a valid one, locked"
              : "locked"
          ],
          [
            "Phone",
            person.revealed
              ? person.phone === null ? "not known" : <PhoneOf person={person} />
              : person.has_phone
              ? "there is one, locked"
              : "not known"
          ],
          ["Updated", dayOf(person.updated_at)]
        ]}
      />
      <AddToList ids={[person.contact_id]} label="Add to list" />
      {person.revealed && isWeb(person.linkedinUrl) && (
        <p>
          <a href={person.linkedinUrl} rel="noreferrer" target="_blank">LinkedIn</a>
        </p>
      )}
      {person.revealed && person.phoneFallbackFromEmployer && <p className="quiet">The phone is the employer's.</p>}
      {person.employer_organization_id !== null && (
        <p>
          <Link to={addressOf("firm", { id: person.employer_organization_id })}>
            {person.employer_name ?? "The employer"}
          </Link>
        </p>
      )}
      {!person.revealed && member.role !== "read_only" && (
        <Priced
          disabled={reveal.isPending}
          onClick={() => reveal.mutate(person.reveal_price_credits)}
          price={person.reveal_price_credits}
        >
          Reveal
        </Priced>
      )}
      <ReceiptLine receipt={receipt} what="Revealed" />
      {reveal.error !== null && <RefusalNotice error={reveal.error} />}
      {person.revealed && organization.features.enrichments && member.role !== "read_only" && (
        <FindOut hasEmail={person.email !== null} id={person.contact_id} onEnd={opened} />
      )}
    </section>
  )
}

/** Research that is charged, and given back when it finds nothing. */
const FindOut = ({ hasEmail, id, onEnd }: {
  readonly id: string
  readonly hasEmail: boolean
  readonly onEnd: () => Promise<void>
}) => {
  const { prices } = useSession()
  const balanceChanged = useBalanceChanged()
  const [run, follow] = useRun({ contact_id: id }, ["research_contact", "find_email"])
  const [research, email] = [prices["research_contact"] ?? 0, prices["find_email"] ?? 0]
  const start = useMutation({
    mutationFn: async (what: "research" | "email") =>
      what === "research"
        ? await call("service_research_contact", { id, maxCredits: research })
        : await call("service_find_email", { contact_id: id, maxCredits: email }),
    onSuccess: async ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      follow(data.run_id)
      if (data.run_id === null) await onEnd()
    }
  })
  if (run !== null) {
    return (
      <RunStatus
        onEnd={() => {
          balanceChanged(null)
          void onEnd()
        }}
        run={run}
      />
    )
  }
  const note = "Given back when nothing is found."
  return (
    <>
      <h3>Find out more</h3>
      <Priced disabled={start.isPending} note={note} onClick={() => start.mutate("research")} price={research}>
        Research
      </Priced>
      {!hasEmail && (
        <Priced disabled={start.isPending} note={note} onClick={() => start.mutate("email")} price={email}>
          Find the email
        </Priced>
      )}
      {start.error !== null && <RefusalNotice error={start.error} />}
    </>
  )
}

const Properties = ({ person: { relationships } }: { readonly person: Person }) => (
  <section aria-labelledby="properties">
    <h2 id="properties">Properties</h2>
    {relationships.length === 0 && <p className="quiet">None is known.</p>}
    <ul className={style["people"]}>
      {relationships.map((each, index) =>
        each.in_your_territory
          ? (
            <li key={`${each.property_id} ${each.role_type}`}>
              <Link to={addressOf("property", { id: each.property_id })}>{each.address ?? "A property"}</Link>
              <span className="quiet">
                {joined([each.city, each.state, each.role_type === null ? null : word(each.role_type)])}
              </span>
            </li>
          )
          : (
            <li className="quiet" key={`${each.county_fips} ${index}`}>
              Outside your area: {joined([each.state, `county ${each.county_fips}`])}
            </li>
          )
      )}
    </ul>
  </section>
)
