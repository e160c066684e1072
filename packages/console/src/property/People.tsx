/** The people of a property: open ones by their roles, and locked ones, each to be revealed alone. */
import { type ReactNode, useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { AddToList } from "../list/AddToList.tsx"
import { PaidButton } from "../part/PaidButton.tsx"
import { balanceAfter } from "../part/Priced.tsx"
import { ReceiptLine } from "../part/ReceiptLine.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useOpened } from "../part/Standing.ts"
import { joined, number, plural, word } from "../part/Wording.ts"
import { EmailOf, PhoneOf } from "../people/Ways.tsx"
import { call, type Receipt } from "../service/Call.ts"
import { useBalanceChanged, useSession, useSpendable } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import type { Detail } from "./Detail.ts"
import style from "./PropertyPage.module.css"

type Person = Detail["contacts"][number]

type Locked = Detail["locked_contacts"][number]

/** Whom the last reveal was about, and what it charged. */
interface Revealed {
  readonly id: string
  readonly receipt: Receipt | null
}

export const People = ({ detail: { contacts, locked_contacts: locked } }: { readonly detail: Detail }) => {
  const { member, prices } = useSession()
  const spendable = useSpendable()
  const opened = useOpened()
  const balanceChanged = useBalanceChanged()
  const [revealed, setRevealed] = useState<Revealed | null>(null)
  const price = prices["reveal_contact"] ?? 0
  const reveal = useMutation({
    mutationFn: (id: string) => call("service_reveal_contact", { id, maxCredits: price }),
    onSuccess: async ({ receipt }, id) => {
      balanceChanged(receipt?.remaining ?? null)
      setRevealed({ id, receipt })
      await opened()
    }
  })
  const mayReveal = member.role !== "read_only"
  const receiptOf = (id: string) => revealed?.id === id && <ReceiptLine receipt={revealed.receipt} what="Revealed" />
  const roles = Map.groupBy(contacts, ({ role }) => role ?? "other")
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      {contacts.length === 0 && locked.length === 0 && <p className="quiet">Nobody is known here.</p>}
      {Array.from(roles, ([role, people]) => (
        <div key={role}>
          <h3>{word(role)}</h3>
          <ul className={style["people"]}>
            {people.map((person) => <Open key={person.id} person={person}>{receiptOf(person.id)}</Open>)}
          </ul>
        </div>
      ))}
      {locked.length > 0 && (
        <>
          <h3>Locked</h3>
          <ul className={style["people"]}>
            {locked.map((person) => (
              <li key={person.contact_id}>
                <div>
                  <Link to={addressOf("person", { id: person.contact_id })}>
                    {person.title ?? "Somebody"}
                  </Link>{" "}
                  <span className="quiet">
                    {joined([person.role_type === null ? null : word(person.role_type), availabilityOf(person)], " · ")}
                  </span>
                </div>
                {receiptOf(person.contact_id)}
                {mayReveal && revealed?.id !== person.contact_id && (
                  <PaidButton
                    className="plain"
                    disabled={reveal.isPending || price > spendable.most}
                    onPay={() => reveal.mutate(person.contact_id)}
                  >
                    Reveal for {plural(price, "credit", "credits")}
                  </PaidButton>
                )}
              </li>
            ))}
          </ul>
          {mayReveal && (
            <p className="quiet">
              {price <= spendable.most
                ? `Each: balance ${balanceAfter(spendable, price)}.`
                : price <= spendable.credits
                ? `Each costs more than the ${number(spendable.most)} left of your monthly limit.`
                : `Each costs more than the balance of ${number(spendable.credits)}.`}
            </p>
          )}
        </>
      )}
      <AddToList
        ids={[...contacts.map(({ id }) => id), ...locked.map(({ contact_id }) => contact_id)]}
        label="Add all to a list"
      />
      {reveal.error !== null && <RefusalNotice error={reveal.error} />}
    </section>
  )
}

const availabilityOf = ({ availability: { email, linkedin, phone } }: Locked): string =>
  joined([email ? "email" : null, phone ? "phone" : null, linkedin ? "LinkedIn" : null]) || "no details are known"

const Open = ({ children, person }: {
  readonly person: Person
  /** What revealing them came to. */
  readonly children: ReactNode
}) => (
  <li>
    <div>
      <Link to={addressOf("person", { id: person.id })}>{person.fullName ?? person.title ?? "Somebody"}</Link>{" "}
      <span className="quiet">{joined([person.title, person.employerName])}</span>
    </div>
    <EmailOf person={person} />
    <PhoneOf person={person} />
    {person.employerMismatch && <span className="quiet">Works elsewhere by now</span>}
    {children}
  </li>
)
