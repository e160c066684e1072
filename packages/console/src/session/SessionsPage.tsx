/** Where the member is signed in, and a way to end it elsewhere. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { momentOf } from "../part/Moment.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { actions, WideTable } from "../part/WideTable.tsx"
import { call, type Output } from "../service/Call.ts"
import { useSignOut } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { browserOf } from "./UserAgent.ts"

type Item = Output<"app_list_sessions">["items"][number]

const key = ["sessions"]

export const SessionsPage = () => {
  const client = useQueryClient()
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => call("app_list_sessions", {}, signal) })
  const revoke = useMutation({
    mutationFn: (which: { readonly session_id: string } | { readonly others: true }) =>
      call("app_revoke_session", which),
    onSettled: () => client.invalidateQueries({ queryKey: key })
  })
  const signOut = useSignOut()
  const items = data?.data.items ?? []
  const others = items.filter(({ current }) => !current).length
  return (
    <main id="main">
      <h1 tabIndex={-1}>My sessions</h1>
      <p>
        Browsers in which you are signed in. A session ends when it was not used for 12 hours, and after 7 days.
      </p>
      {error !== null && <RefusalNotice error={error} />}
      {revoke.error !== null && <RefusalNotice error={revoke.error} />}
      {signOut.error !== null && <RefusalNotice error={signOut.error} />}
      <WideTable columns={["Browser", "Signed in", "Last used", "Ends", actions]} isFramed label="My sessions">
        {items.map((item) => (
          <Row
            item={item}
            isBusy={revoke.isPending || signOut.isPending}
            key={item.session_id}
            onEnd={() => item.current ? signOut.mutate() : revoke.mutate({ session_id: item.session_id })}
          />
        ))}
      </WideTable>
      <p aria-live="polite">{revoke.data !== undefined && told(revoke.data.data.ended)}</p>
      {others > 0 && (
        <button disabled={revoke.isPending} onClick={() => revoke.mutate({ others: true })} type="button">
          Sign out everywhere else
        </button>
      )}
    </main>
  )
}

const told = (ended: number): string =>
  ended === 0 ? "It had ended already." : ended === 1 ? "1 session was ended." : `${ended} sessions were ended.`

const Row = (
  { isBusy, item, onEnd }: { readonly item: Item; readonly isBusy: boolean; readonly onEnd: () => void }
) => {
  const browser = browserOf(item.user_agent)
  return (
    <tr>
      <th scope="row" title={item.user_agent ?? undefined}>{browser}</th>
      <td>{momentOf(item.signed_in_at)}</td>
      <td>{momentOf(item.last_used_at)}</td>
      <td>{momentOf(item.expires_at)}</td>
      <td>
        {item.current
          ? (
            <button className="plain" disabled={isBusy} onClick={onEnd} type="button">
              Sign out of this browser
            </button>
          )
          : (
            <button
              aria-label={`End the session of ${browser}, last used ${momentOf(item.last_used_at)}`}
              className="plain"
              disabled={isBusy}
              onClick={onEnd}
              type="button"
            >
              End
            </button>
          )}
      </td>
    </tr>
  )
}
