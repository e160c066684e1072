/** One organization: how it stands, who and what uses it, its ledger, and what the operator does to it. */
import { useState } from "react"
import style from "../admin/Admin.module.css"
import { Answered, useAsked } from "../admin/Asking.tsx"
import { endpointState } from "../admin/DeliveryWords.ts"
import { kindName } from "../admin/Words.ts"
import { Link } from "../app/Router.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, word } from "../part/Wording.ts"
import { type Output, Refused } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { Actions } from "./Actions.tsx"
import { DocumentForm } from "./DocumentForm.tsx"
import { LedgerTable } from "./LedgerTable.tsx"
import own from "./Operator.module.css"
import { endpointAddress, operatorPaths } from "./OperatorPaths.ts"
import { SeeAs } from "./SeeAs.tsx"
import { SignInCommand } from "./SignInCommand.tsx"

export type Shown = Output<"operator_get_organization">

export const OrganizationPage = ({ orgId }: { readonly orgId: string }) => {
  const asked = useAsked("operator_get_organization", { org_id: orgId })
  const isMissing = asked.error instanceof Refused && asked.error.code === "NOT_FOUND"
  const known = knownOf(asked)
  return (
    <>
      <div className={own["head"]}>
        <h1 tabIndex={-1}>{isMissing ? `There is no organization ${orgId}` : known?.name ?? orgId}</h1>
        {known !== undefined && <Actions shown={known} />}
      </div>
      {isMissing ?
        (
          <p>
            <Link to={operatorPaths.start}>All organizations</Link>
          </p>
        ) :
        (
          <Answered<"operator_get_organization"> asked={asked}>
            {(shown) => (
              <>
                <Figures shown={shown} />
                <People shown={shown} />
                <KeysAndEndpoints shown={shown} />
                <LedgerTable orgId={orgId} />
                <section className={page["panel"]} aria-labelledby="document">
                  <h2 id="document">Settings, keys and members as a document</h2>
                  <DocumentForm document={shown.document} />
                </section>
              </>
            )}
          </Answered>
        )}
    </>
  )
}

const Figures = ({ shown }: { readonly shown: Shown }) => {
  const { credits, grants, name, org_id, payment_status, plan, status, usage, warnings } = shown
  return (
    <section aria-label={`How ${name} stands`}>
      <dl className={own["figures"]}>
        <div>
          <dt>Id</dt>
          <dd>{org_id}</dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>{word(plan)}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd className={status === "active" ? undefined : own["fault"]}>{word(status)}</dd>
        </div>
        <div>
          <dt>Payment</dt>
          <dd className={payment_status === "ok" ? undefined : own["fault"]}>{word(payment_status)}</dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>{number(credits)}</dd>
        </div>
        <div>
          <dt>Exports this month</dt>
          <dd>
            {number(usage.exports_this_month)} ({usage.maximum_exports === 0 ? "none" : number(usage.maximum_exports)}
            {" "}
            included)
          </dd>
        </div>
      </dl>
      {warnings.length > 0 && (
        <section aria-labelledby="warnings" className={page["panel"]}>
          <h2 id="warnings">What does not work as it is set up</h2>
          <ul>{warnings.map((warning) => <li key={warning}>{warning}</li>)}</ul>
        </section>
      )}
      <div className={page["panel"]}>
        <h2>Balance and usage</h2>
        <div className={style["columns"]}>
          <WideTable
            label="Grants"
            caption={grants.length === 0 ? "There is nothing to spend." : "What can be spent, in its order."}
            columns={grants.length === 0 ? [] : ["Grant", numbers("Left"), "Until"]}
          >
            {grants.map(({ bucket, expires_at, ref, remaining }) => (
              <tr key={ref}>
                <th scope="row" className={own["wrap"]}>{ref} ({word(bucket)})</th>
                <td className="number">{number(remaining)}</td>
                <td>{expires_at === null ? "Without end" : momentOf(expires_at)}</td>
              </tr>
            ))}
          </WideTable>
          <WideTable
            isNarrow
            label="Usage"
            caption="Today, in UTC, by keys, assistants and webhooks: what people do in the app counts towards none of it."
            columns={["What", numbers("Used"), numbers("At most")]}
          >
            {usage.today.map(({ cap, kind, used }) => (
              <tr key={kind}>
                <th scope="row">{kindName(kind)}</th>
                <td className="number">{number(used)}</td>
                <td className="number">{cap === null ? "No limit" : number(cap)}</td>
              </tr>
            ))}
          </WideTable>
        </div>
      </div>
    </section>
  )
}

const People = ({ shown: { members, org_id, status } }: { readonly shown: Shown }) => {
  const [seen, setSeen] = useState<Shown["members"][number] | null>(null)
  const actives = members.filter((member) => member.status === "active")
  const toSignIn = actives.find(({ role }) => role === "admin") ?? actives[0]
  return (
    <section className={page["panel"]} aria-labelledby="members">
      <h2 id="members">Members</h2>
      {members.length === 0 ?
        <p>Nobody yet.</p> :
        (
          <WideTable label="Members" columns={["Name", "Address", "Role", "Seat", "State", "See the app"]}>
            {members.map((member) => (
              <tr key={member.member_id}>
                <th scope="row">{member.name}</th>
                <td className={own["wrap"]}>{member.email}</td>
                <td>{word(member.role)}</td>
                <td>{member.seat ? "Yes" : "No"}</td>
                <td>{word(member.status)}</td>
                <td>
                  {status === "active" && member.status === "active" && (
                    <button
                      aria-label={`See as ${member.name}`}
                      className="plain"
                      onClick={() => setSeen(member)}
                      type="button"
                    >
                      See as
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      {toSignIn !== undefined && <SignInCommand email={toSignIn.email} orgId={org_id} />}
      {seen !== null && <SeeAs member={seen} onClose={() => setSeen(null)} orgId={org_id} />}
    </section>
  )
}

const KeysAndEndpoints = ({ shown: { endpoints, keys } }: { readonly shown: Shown }) => (
  <section className={page["panel"]} aria-labelledby="machines">
    <h2 id="machines">Keys and endpoints</h2>
    {keys.length === 0 ? <p>No key yet.</p> : (
      <WideTable label="Keys" columns={["Key", "May", "Last used", "State"]}>
        {keys.map(({ label, last_used_at, scopes, status }) => (
          <tr key={label}>
            <th scope="row">{label}…</th>
            <td className={own["wrap"]}>{scopes.length === 0 ? "Nothing" : scopes.join(", ")}</td>
            <td>{last_used_at === null ? "Never" : momentOf(last_used_at)}</td>
            <td>{word(status)}</td>
          </tr>
        ))}
      </WideTable>
    )}
    {endpoints.length === 0 ?
      <p>No webhook endpoint.</p> :
      (
        <WideTable
          caption="Each leads to what was sent there and what was answered."
          columns={["Endpoint", "State", numbers("Failed in a row")]}
          label="Endpoints"
        >
          {endpoints.map(({ active, consecutive_failures, disabled_reason, id, url }) => (
            <tr key={id}>
              <th scope="row" className={own["wrap"]}>
                <Link to={endpointAddress(id)}>{url}</Link>
              </th>
              <td className={active ? undefined : own["fault"]}>
                {endpointState(disabled_reason, consecutive_failures)}
              </td>
              <td className="number">{number(consecutive_failures)}</td>
            </tr>
          ))}
        </WideTable>
      )}
  </section>
)
