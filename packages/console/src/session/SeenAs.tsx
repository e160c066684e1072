/** Over every page while one of the operator's people sees the app as a member: as whom, until when, and the way out. */
import { useEffect } from "react"
import style from "../operator/Operator.module.css"
import { organizationAddress } from "../operator/OperatorPaths.ts"
import { momentOf } from "../part/Moment.ts"
import { post } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"

export const SeenAs = ({ until }: { readonly until: string }) => {
  const { member, organization } = useSession()
  const end = async (): Promise<void> => {
    await post("/console/operator/see-no-more", {})
    location.assign(organizationAddress(organization.org_id))
  }
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return (
    <section aria-label="You see this as somebody else" className={style["seen"]}>
      <p>
        You are the operator, and see the app as {member.name} of {organization.name}. Read only, until{" "}
        {momentOf(until)}.
      </p>
      <button className="plain" onClick={() => void end()} type="button">End</button>
    </section>
  )
}
