/** How the installation stands: the checks, the work that waits, what was told lately, and the laws. */
import { Answered, useAsked } from "../admin/Asking.tsx"
import { Link } from "../app/Router.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number, word } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import own from "./Operator.module.css"
import { organizationAddress, partAddress } from "./OperatorPaths.ts"

type Health = Output<"operator_get_health">

export const HealthPage = () => {
  const asked = useAsked("operator_get_health", {})
  return (
    <>
      <p>
        <button className="plain" disabled={asked.isFetching} onClick={() => void asked.refetch()} type="button">
          Look again
        </button>
      </p>
      <Answered<"operator_get_health"> asked={asked}>{(health) => <Findings health={health} />}</Answered>
      <Audit />
    </>
  )
}

/** Of endpoints that were disabled, who did it: what their organization did is no trouble. */
const endpointStates: Readonly<Record<string, string>> = {
  failed: "disabled for failures",
  gone: "disabled since they answered 410",
  private_address: "disabled since the address is not public",
  disabled: "disabled by an admin of theirs",
  deleted: "removed",
  superseded: "replaced"
}

const seconds = (lag: number): string => lag === 0 ? "–" : `${lag.toFixed(1)} s`

const Findings = ({ health: { findings, notices, work } }: { readonly health: Health }) => (
  <>
    <section className={page["panel"]} aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <WideTable label="Checks" columns={["Check", "Outcome", "What was found"]}>
        {findings.map(({ check, detail, outcome }, index) => (
          <tr key={`${check} ${index}`}>
            <th scope="row">{word(check)}</th>
            <td className={outcome === "fault" ? own["fault"] : undefined}>{outcome}</td>
            <td className={own["wrap"]}>{detail}</td>
          </tr>
        ))}
      </WideTable>
    </section>
    <section className={page["panel"]} aria-labelledby="work">
      <h2 id="work">Work that waits</h2>
      <WideTable label="Queues" columns={["Queue", numbers("Due"), numbers("The oldest waits"), "Otherwise"]}>
        <tr>
          <th scope="row">Events to fan out</th>
          <td className="number">{number(work.events.due)}</td>
          <td className="number">{seconds(work.events.lag)}</td>
          <td>–</td>
        </tr>
        <tr>
          <th scope="row">Deliveries</th>
          <td className="number">{number(work.deliveries.due)}</td>
          <td className="number">{seconds(work.deliveries.lag)}</td>
          <td>{number(work.deliveries.inFlight)} under way, {number(work.deliveries.waiting)} later</td>
        </tr>
        <tr>
          <th scope="row">Research</th>
          <td className="number">{number(work.research.due)}</td>
          <td className="number">{seconds(work.research.lag)}</td>
          <td>{number(work.research.running)} running</td>
        </tr>
      </WideTable>
      <p>
        Webhook endpoints: {work.endpoints.length === 0
          ? "none"
          : work.endpoints.map(({ count, state }) => `${number(count)} ${endpointStates[state] ?? state}`).join(", ")}.
        {" "}
        <Link to={partAddress("webhooks")}>Those in trouble</Link>
        {work.endpoints.length > 0 && (
          <>
            , <Link to={`${partAddress("webhooks")}?which=all`}>all of them</Link>
          </>
        )}
      </p>
    </section>
    {notices.length > 0 && (
      <section className={page["panel"]} aria-labelledby="notices">
        <h2 id="notices">Told lately</h2>
        <ul>
          {notices.map(({ created_at, id, mail, org_id, text }) => (
            <li key={id}>
              {momentOf(created_at)}
              {org_id !== null && (
                <>
                  , <Link to={organizationAddress(org_id)}>{org_id}</Link>
                </>
              )}: {text}
              {mail === "given_up" && " The mail about it was not taken."}
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
)

const Audit = () => {
  const audit = useMutation({ mutationFn: async () => (await call("operator_run_audit", {})).data })
  const laws = audit.data?.laws ?? []
  const broken = laws.filter(({ count }) => count > 0)
  return (
    <section className={page["panel"]} aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      <p>
        Every law of credits, access, leads and deliveries, over the whole database. It reads only; one runs at a time.
      </p>
      <p>
        <button disabled={audit.isPending} onClick={() => audit.mutate()} type="button">
          {audit.isPending ? "Looking…" : "Run the audit"}
        </button>
      </p>
      {audit.error !== null && <RefusalNotice error={audit.error} />}
      {audit.data !== undefined && (
        <>
          <p role="status" className={broken.length === 0 ? undefined : own["fault"]}>
            {broken.length === 0
              ? `All ${laws.length} laws hold.`
              : `${broken.length} of ${laws.length} laws are broken.`}
          </p>
          <WideTable label="Laws" columns={["Law", "What holds", numbers("Violations")]}>
            {laws.map(({ count, law, title, violations }) => (
              <tr key={law}>
                <th scope="row">{law}</th>
                <td>
                  {title}
                  {violations.length > 0 && (
                    <ul>
                      {violations.map(({ fault, org_id, record }) => (
                        <li key={`${org_id} ${record} ${fault}`}>{org_id ?? "nobody"}, {record}: {fault}</li>
                      ))}
                    </ul>
                  )}
                </td>
                <td className={count > 0 ? `number ${own["fault"]}` : "number"}>{number(count)}</td>
              </tr>
            ))}
          </WideTable>
        </>
      )}
    </section>
  )
}
