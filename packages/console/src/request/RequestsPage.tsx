/** What was asked of whoever runs this service, how it stands, and asking for more. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import type { SubmitEvent } from "react"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useKeptText } from "../part/useKeptText.ts"
import { WideTable } from "../part/WideTable.tsx"
import { plural } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { CoverageRequest } from "./CoverageRequest.tsx"
import { requestsKey } from "./requestsKey.ts"

type Asked = Output<"service_list_requests">["requests"][number]

const pageSize = 25

export const RequestsPage = () => {
  const { member } = useSession()
  const asked = useInfiniteQuery({
    queryKey: requestsKey,
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_list_requests", { limit: pageSize, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage
  })
  const known = knownOf(asked)
  const rows = known?.pages.flatMap(({ requests }) => requests)
  return (
    <main id="main">
      <h1 tabIndex={-1}>Requests</h1>
      <p className={style["quiet"]}>
        What {member.role === "admin" ? "your organization" : "you"} asked of whoever runs this service.
      </p>
      {asked.error !== null && <RefusalNotice error={asked.error} />}
      {rows === undefined ?
        asked.error === null && <p role="status">One moment…</p> :
        (
          <p className={style["quiet"]} role="status">
            {rows.length === 0
              ? "Nothing was asked yet."
              : plural(known?.pages[0]?.total ?? 0, "request", "requests")}
          </p>
        )}
      {rows !== undefined && rows.length > 0 && <Table requests={rows} />}
      {known !== undefined && <ShowMore of={asked} />}
      {member.role !== "read_only" && (
        <div className={style["grid"]}>
          <SupportRequest />
          <CoverageRequest />
        </div>
      )}
    </main>
  )
}

const Table = ({ requests }: { readonly requests: ReadonlyArray<Asked> }) => (
  <WideTable columns={["Request", "State", "Asked"]} isFramed label="Requests">
    {requests.map((request) => (
      <tr key={request.id}>
        <td>
          <strong>{request.kind === "coverage" ? "Coverage" : request.subject}</strong>
          <div className={`${style["quiet"]} ${style["written"]}`}>
            {request.kind === "coverage" ? `Counties ${request.county_fips?.join(", ")}` : request.message}
          </div>
          {request.answer !== null && (
            <p className={style["written"]}>
              <strong>Answer:</strong> {request.answer}
            </p>
          )}
        </td>
        <td>{request.closed_at === null ? "open" : `closed ${momentOf(request.closed_at)}`}</td>
        <td>
          {momentOf(request.created_at)}
          <div className={style["quiet"]}>{request.asked_by}</div>
        </td>
      </tr>
    ))}
  </WideTable>
)

const SupportRequest = () => {
  const client = useQueryClient()
  const subject = useKeptText("subject of a request")
  const message = useKeptText("message of a request")
  const ask = useMutation({
    mutationFn: () => call("service_request_support", { subject: subject.text, message: message.text }),
    onSuccess: () => {
      subject.forget()
      message.forget()
      return client.invalidateQueries({ queryKey: requestsKey })
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <section aria-labelledby="support" className={style["panel"]}>
      <h2 id="support">Ask for support</h2>
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Subject
          <input maxLength={200} onChange={(event) => subject.type(event.target.value)} required value={subject.text} />
        </label>
        <label>
          What is it about
          <textarea
            maxLength={5000}
            onChange={(event) => message.type(event.target.value)}
            required
            rows={4}
            value={message.text}
          />
        </label>
        {ask.error !== null && <RefusalNotice error={ask.error} />}
        <div className={style["buttons"]}>
          <button disabled={ask.isPending} type="submit">Send</button>
        </div>
        <p className={style["quiet"]} role="status">{ask.isSuccess && "It was sent."}</p>
      </form>
    </section>
  )
}
