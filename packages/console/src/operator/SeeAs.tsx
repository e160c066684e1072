/** Opens the app as a member has it: read only, for a quarter of an hour, and written down. */
import { addressOf } from "../app/Router.tsx"
import { post } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import { Act } from "./Act.tsx"
import type { Shown } from "./OrganizationPage.tsx"

export const SeeAs = ({ member, onClose, orgId }: {
  readonly orgId: string
  readonly member: Shown["members"][number]
  readonly onClose: () => void
}) => {
  const act = useMutation({
    mutationFn: (input: { readonly org_id: string; readonly member_id: string; readonly reason: string }) =>
      post("/console/operator/see-as", input),
    onSuccess: () => location.assign(addressOf("search"))
  })
  return (
    <Act
      act={act}
      button={`See as ${member.name}`}
      input={(_, reason) => ({ org_id: orgId, member_id: member.member_id, reason })}
      onClose={onClose}
      says={
        <p>
          Opens the app as {member.name}{" "}
          has it, in this tab, for 15 minutes. You can change, spend and open nothing in their name. The organization's
          admins read in their log that the operator looked.
        </p>
      }
      title={`See as ${member.name}`}
    />
  )
}
