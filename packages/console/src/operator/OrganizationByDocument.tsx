/** Any organization by its document: a new one, or one that there is. */
import { useState } from "react"
import page from "../part/Page.module.css"
import { DocumentForm } from "./DocumentForm.tsx"
import own from "./Operator.module.css"

const sample = {
  org_id: "org_sample",
  name: "Sample Company",
  plan: "team",
  serviceable_area: { county_fips: [] },
  members: [{ email: "admin@sample.example", name: "First Admin", role: "admin" }]
}

export const OrganizationByDocument = () => {
  /** Once it was opened it stays, with what was typed and the secrets that are shown once. */
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <section aria-label="An organization by its document" className={page["panel"]}>
      <details className={own["more"]} onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
        <summary>
          By its document: a new organization or one that there is, with keys, limits, grants and all the rest
        </summary>
        {wasOpened && <DocumentForm document={sample} />}
      </details>
    </section>
  )
}
