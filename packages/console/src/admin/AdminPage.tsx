/** What an organization's admins look after, part by part. */
import { addressOf, Link } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Refused } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import style from "./Admin.module.css"
import { CreditsPage } from "./CreditsPage.tsx"
import { KeysPage } from "./KeysPage.tsx"
import { LogPage } from "./LogPage.tsx"
import { MembersPage } from "./MembersPage.tsx"
import { SettingsPage } from "./SettingsPage.tsx"
import { WebhooksPage } from "./WebhooksPage.tsx"

const parts = {
  keys: { title: "Keys", Content: KeysPage },
  members: { title: "Members", Content: MembersPage },
  credits: { title: "Credits", Content: CreditsPage },
  webhooks: { title: "Webhooks", Content: WebhooksPage },
  settings: { title: "Limits and settings", Content: SettingsPage },
  log: { title: "Log", Content: LogPage }
} as const

type Part = keyof typeof parts

const names: ReadonlyArray<Part> = ["keys", "members", "credits", "webhooks", "settings", "log"]

export const AdminPage = ({ part }: { readonly part: string }) => {
  const { member, organization } = useSession()
  const shown = names.find((name) => name === part)
  if (member.role !== "admin") {
    return (
      <main id="main">
        <h1 tabIndex={-1}>Administration</h1>
        <RefusalNotice error={new Refused("ADMINS_ONLY", "")} />
      </main>
    )
  }
  if (shown === undefined) {
    return (
      <main id="main">
        <h1 tabIndex={-1}>There is no such page</h1>
      </main>
    )
  }
  const { Content, title } = parts[shown]
  return (
    <main id="main">
      <h1 tabIndex={-1}>{title}</h1>
      <nav className={style["parts"]} aria-label={`Administration of ${organization.name}`}>
        {names.map((name) => (
          <Link
            key={name}
            to={addressOf("admin", { part: name })}
            aria-current={name === shown ? "page" : undefined}
          >
            {parts[name].title}
          </Link>
        ))}
      </nav>
      <Content />
    </main>
  )
}
