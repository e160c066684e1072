/** `freehold org`: the state of organizations. */
import { type Credential, KeyRing } from "@freehold/core/access/KeyRing"
import type { Organization, OrganizationStatus } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { describe } from "@freehold/core/provision/Describe"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { accounting } from "../LazyComposition.ts"
import { accountable } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { deleteOrganization, exportOrganization } from "./OrganizationEnd.ts"
import { findOrganization } from "./OrganizationFlag.ts"
import { giveStatus } from "./OrganizationStatus.ts"
import { spendable } from "./Spendable.ts"

const id = Argument.String("org").pipe(Argument.withDescription("Id of the organization, such as org_acme"))

const area = ({ entitlement, serviceable_area }: Organization) => ({
  seen: [...serviceable_area.whole_state_abbrs, ...serviceable_area.county_fips].join(" "),
  licensed: entitlement.nationwide
    ? "nationwide"
    : [...entitlement.state_abbrs, ...entitlement.county_fips].join(" ")
})

const keyText = ({ expiresAt, name }: Credential): string =>
  expiresAt === null ? name : `${name} (expires ${expiresAt.toISOString().slice(0, 10)})`

const show = Command.make(
  "show",
  { id, json },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.id)
    const credentials = yield* KeyRing.use((keys) => keys.list(organization.org_id))
    const members = yield* Organizations.use((organizations) => organizations.members(organization.org_id))
    const described = describe({ organization, credentials, members })
    const told = { organizations: [described], ...yield* spendable(organization.org_id) }
    yield* print(input.json, told, ({ credit_balance, organizations: [shown = described], usage }) =>
      record([
        ["org_id", shown.org_id],
        ["name", shown.name],
        ["plan", shown.plan],
        ["status", shown.status],
        ["payment_status", shown.payment_status],
        ["sees", area(shown).seen],
        ["licensed", area(shown).licensed],
        ["keys", credentials.filter(({ status }) => status === "active").map(keyText).join(", ")],
        ["members", shown.members.filter(({ status }) => status === "active").length],
        ["credits", credit_balance.total],
        [
          "exports",
          `${usage.exports_used} of ${shown.export_allowance.max_exports_per_month} since ${
            usage.period_start.slice(0, 10)
          }`
        ]
      ]))
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription(
    "Show an organization with its credits and usage; with --json as a document that apply takes back"
  ),
  Command.withExamples([
    { command: "freehold org show org_acme", description: "The organization at a glance" },
    {
      command: "freehold org show org_acme --json > org_acme.json",
      description: "Its settings, active keys (without secrets) and members, to be edited and applied"
    }
  ])
)

const list = Command.make(
  "list",
  { json },
  Effect.fn(function*(input) {
    const organizations = yield* Organizations.use((each) => each.list)
    const items = organizations.map(({ name, org_id, plan, status }) => ({ org_id, name, plan, status }))
    yield* print(
      input.json,
      { items },
      () =>
        table(
          ["org_id", "name", "plan", "status"],
          items.map((item) => [item.org_id, item.name, item.plan, item.status])
        )
    )
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("List the organizations, by id"),
  Command.withExamples([{ command: "freehold org list", description: "Every organization with its plan and status" }])
)

const change = (name: string, status: OrganizationStatus, description: string) =>
  Command.make(
    name,
    { id, ...accountable, json },
    Effect.fn(function*(input) {
      const { org_id } = yield* giveStatus(input, input.id, status)
      yield* print(input.json, { org_id, status }, () => `${org_id} is ${status}`)
    }, Effect.provide(accounting))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `freehold org ${name} org_acme`, description }])
  )

export const orgCommand = Command.make("org").pipe(
  Command.withExamples([{ command: "freehold org list", description: "Every organization" }]),
  Command.withSubcommands([
    list,
    show,
    change("suspend", "suspended", "Refuse every call of an organization until it is resumed"),
    change("resume", "active", "Let an organization call again; its waiting deliveries go on"),
    exportOrganization,
    deleteOrganization,
    change("close", "closed", "Close an organization's account")
  ])
)
