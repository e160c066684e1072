/** Where the person is a member: after signing in, and to go on elsewhere. */
import { useQuery } from "@tanstack/react-query"
import { addressOf, navigate } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { changeOrganization } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import { organizationsQuery } from "./organizationsQuery.ts"
import { isOwnPath } from "./OwnPath.ts"
import style from "./Session.module.css"

/** Loads everything anew, so that nothing of the organization before is left in the page. */
const startIn = (to: string): void => location.replace(to)

/** `to`: where the person was going; a path of this app alone. */
export const OrganizationsPage = ({ search }: { readonly search: URLSearchParams }) => {
  const wanted = search.get("to") ?? ""
  const to = isOwnPath(wanted) ? wanted : addressOf("search")
  const { data: items = [], error } = useQuery(organizationsQuery)
  const change = useMutation({ mutationFn: changeOrganization, onSuccess: () => startIn(to) })
  const here = items.find(({ current }) => current)?.org_id
  const nameOf = (orgId: string | undefined) => items.find(({ org_id }) => org_id === orgId)?.name ?? orgId
  return (
    <main id="main">
      <h1 tabIndex={-1}>My organizations</h1>
      {items.length === 1 && (
        <p>
          You are a member of one organization here. By a sign-in link you are signed in to the one that it was made
          for, even if there are others.
        </p>
      )}
      {items.length > 1 && <p>Choose the one to go on in.</p>}
      {error !== null && <RefusalNotice error={error} />}
      {change.error !== null && (
        <>
          <RefusalNotice error={change.error} />
          <p>
            It is about {nameOf(change.variables)}. You stay in {nameOf(here)}.
          </p>
        </>
      )}
      <ul className={style["choices"]}>
        {items.map(({ current, name, org_id: id }) => (
          <li key={id}>
            <button
              className="plain"
              disabled={change.isPending}
              onClick={() => current ? navigate(to) : change.mutate(id)}
              type="button"
            >
              <strong>{name}</strong> <span>{current ? "you are here" : id}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
