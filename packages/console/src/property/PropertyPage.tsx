/** One property: its record, what is there and locked, what opening it costs, and what your team knows of it. */
import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { addressOf, navigate } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined } from "../part/Wording.ts"
import { call, Refused } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { Changes } from "./Changes.tsx"
import { detailKey } from "./Detail.ts"
import { Lead } from "./Lead.tsx"
import { Notes } from "./Notes.tsx"
import { People } from "./People.tsx"
import style from "./PropertyPage.module.css"
import { Buildings, Record } from "./Record.tsx"
import { Research } from "./Research.tsx"
import { Tasks } from "./Tasks.tsx"

export const PropertyPage = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery({
    queryKey: detailKey(id),
    queryFn: async ({ signal }) => (await call("app_open_property", { id }, signal)).data
  })
  // A merged record leads on to the one that has it now.
  const successor = error instanceof Refused && error.code === "PROPERTY_RETIRED"
    ? error.detail["successorPropertyId"]
    : undefined
  useEffect(() => {
    if (typeof successor === "string") navigate(addressOf("property", { id: successor }), { replace: true })
  }, [successor])
  const known = knownOf({ data, error })
  if (known === undefined) {
    return (
      <main id="main" className={style["page"]}>
        {error === null ? <p role="status">One moment…</p> : (
          <>
            <h1 tabIndex={-1}>Property</h1>
            <p className="quiet">{id}</p>
            <Notice error={error} />
          </>
        )}
      </main>
    )
  }
  const { property } = known
  return (
    <main id="main" className={style["page"]}>
      <h1 tabIndex={-1}>{property.commonName ?? property.address ?? property.key}</h1>
      <p className="quiet">
        {joined([property.address, property.city, property.state, property.zip])} · {property.key}
      </p>
      {error !== null && <Notice error={error} />}
      <div className={style["columns"]}>
        <div>
          <Research detail={known} />
          <People detail={known} />
        </div>
        <div>
          <Lead property={property} />
          <Tasks id={property.id} />
          <Notes id={property.id} />
          <Changes of={{ property_id: property.id }} />
        </div>
        <div>
          <Record detail={known} />
          <Buildings detail={known} />
        </div>
      </div>
    </main>
  )
}

/** Why the page is not read, and until when where pages are closed. */
const Notice = ({ error }: { readonly error: Error }) => (
  <>
    <RefusalNotice error={error} />
    {error instanceof Refused && typeof error.detail["until"] === "string" && (
      <p>Pages open again at {new Date(error.detail["until"]).toISOString().slice(11, 16)} UTC.</p>
    )}
  </>
)
