/** What was found out about a property: open, or locked with its price, and finding out more. */
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { Facts } from "../part/Facts.tsx"
import { Priced } from "../part/Priced.tsx"
import { ReceiptLine } from "../part/ReceiptLine.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useOpened } from "../part/Standing.ts"
import { dayOf, plural, word } from "../part/Wording.ts"
import { call, type Receipt } from "../service/Call.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import type { Detail } from "./Detail.ts"
import style from "./PropertyPage.module.css"
import { RunStatus } from "./RunStatus.tsx"
import { useRun } from "./useRun.ts"

export const Research = ({ detail }: { readonly detail: Detail }) => {
  const { property, researchRevealed, researchState, revealSource } = detail
  return (
    <section aria-labelledby="research">
      <h2 id="research">Research</h2>
      {researchRevealed && (
        <>
          <Facts
            facts={[
              ["Beneficial owner", property.beneficialOwner ?? "not known"],
              ["Kind of owner", property.beneficialOwnerType === null ? null : word(property.beneficialOwnerType)],
              ["Manager", property.managementCompany ?? "not known"],
              ["Researched", property.researchedAt === null ? null : dayOf(property.researchedAt)],
              ["Depth", property.researchTier.displayName]
            ]}
          />
          {property.aiRationale !== null && <p>{property.aiRationale}</p>}
          <p className="quiet">
            {revealSource === "geo" ? "Open because your licence covers this county." : "Open because you unlocked it."}
          </p>
        </>
      )}
      {researchState === "none" && <p className="quiet">Nothing was found out about it yet.</p>}
      <Unlock detail={detail} />
      <Firms detail={detail} />
      <Start detail={detail} />
    </section>
  )
}

/** What opens with the research: who is open already does not. */
const whatElse = (open: number, locked: number): string => {
  const together = ": all of it opens together."
  if (locked > 0 && open > 0) {
    return `, and ${locked} of the ${open + locked} people here ${locked === 1 ? "is" : "are"} locked${together}`
  }
  if (locked > 0) return `, and ${plural(locked, "person is", "people are")} known here${together}`
  return open === 0
    ? "."
    : `. ${open === 1 ? "The one person" : `The ${open} people`} known here can be read without it.`
}

const Unlock = (
  { detail: { contacts, coveredByPlan, locked_contacts, property, researchState } }: { readonly detail: Detail }
) => {
  const { member, prices } = useSession()
  const opened = useOpened()
  const balanceChanged = useBalanceChanged()
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const price = coveredByPlan ? 0 : prices["unlock_property"] ?? 0
  const unlock = useMutation({
    mutationFn: () => call("service_reveal_property", { id: property.id, maxCredits: price }),
    onSuccess: async ({ receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      setReceipt(receipt)
      await opened()
    }
  })
  const told = (
    <>
      <ReceiptLine receipt={receipt} what="Unlocked" />
      {unlock.error !== null && <RefusalNotice error={unlock.error} />}
    </>
  )
  if (researchState !== "locked") return told
  return (
    <>
      <Facts facts={[["Beneficial owner", "locked"], ["Manager", "locked"]]} />
      <p>There is research on who owns and manages it{whatElse(contacts.length, locked_contacts.length)}</p>
      {member.role !== "read_only" && <p>An unlock is right when you want to read at once what is known by now.</p>}
      {member.role !== "read_only" && (
        <Priced
          disabled={unlock.isPending}
          freeBecause="in your licensed counties"
          onClick={() => unlock.mutate()}
          price={price}
        >
          {locked_contacts.length > 0 ? "Unlock all" : "Unlock the research"}
        </Priced>
      )}
      {told}
    </>
  )
}

const Firms = ({ detail: { property } }: { readonly detail: Detail }) => {
  const firms = [
    ["owner by county record", property.primaryOrganizationId, property.recordOwner],
    ["manager", property.managementOrganizationId, property.managementCompany]
  ] as const
  if (firms.every(([, id]) => id === null)) return null
  return (
    <>
      <h3>Firms</h3>
      <ul className={style["people"]}>
        {firms.map(([role, id, name]) =>
          id === null ? null : (
            <li key={role}>
              <Link to={addressOf("firm", { id })}>{name ?? "Its properties and people"}</Link>
              <span className="quiet">{role}</span>
            </li>
          )
        )}
      </ul>
    </>
  )
}

/** The price, the start and the way of a run. */
const Start = ({ detail: { property, researchState } }: { readonly detail: Detail }) => {
  const { member, organization, prices } = useSession()
  const opened = useOpened()
  const balanceChanged = useBalanceChanged()
  const [run, follow] = useRun({ property_id: property.id }, ["research_property"])
  const price = prices["research_property"] ?? 0
  const isLocked = researchState === "locked"
  // Once it is open, what is known was read after the research.
  const [wasLocked, setWasLocked] = useState(false)
  if (run !== null && isLocked && !wasLocked) setWasLocked(true)
  const start = useMutation({
    mutationFn: () => call("service_research_property", { id: property.id, maxCredits: price }),
    onSuccess: ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      follow(data.run_id)
    }
  })
  if (!organization.features.enrichments || member.role === "read_only") return null
  if (run !== null) {
    return (
      <RunStatus
        onEnd={() => {
          balanceChanged(null)
          void opened()
        }}
        researchedAt={wasLocked && !isLocked ? property.researchedAt : null}
        run={run}
      />
    )
  }
  return (
    <>
      <h3>{researchState === "none" ? "Find out" : "Find out more"}</h3>
      {isLocked && (
        <p>Right when what is known may be old: it is asked for anew. If it fails, the property stays locked.</p>
      )}
      <Priced
        disabled={start.isPending}
        isPlain={isLocked}
        note={isLocked
          ? "The unlock is included: where nothing newer is found, it opens what is known, or is given back."
          : "The unlock is included; given back when nothing new is found."}
        onClick={() => start.mutate()}
        price={price}
      >
        Research
      </Priced>
      {start.error !== null && <RefusalNotice error={start.error} />}
    </>
  )
}
