/** Over every page while one of the operator's people sees the app as a member: as whom, until when, and the way out. */
import { useEffect } from "react"
import style from "../operator/Operator.module.css"
import { organizationAddress } from "../operator/OperatorPaths.ts"
import { momentOf } from "../part/Moment.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { post } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"

export const SeenAs = ({ until }: { readonly until: string }) => {
  const { member, organization } = useSession()
  const end = useMutation({
    mutationFn: () => post("/console/operator/see-no-more", {}),
    onSuccess: () => location.assign(organizationAddress(organization.org_id))
  })
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
      <button className="plain" disabled={end.isPending} onClick={() => end.mutate()} type="button">End</button>
      {end.error !== null && <RefusalNotice error={end.error} />}
    </section>
  )
}
