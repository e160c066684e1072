/** `freehold member`: the people of an organization and their assistant connections. */
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { type Connection, Connections } from "@freehold/core/access/Connections"
import { linkLifetime } from "@freehold/core/access/Sessions"
import type { DoneToOrganization } from "@freehold/core/operator/OperatorNote"
import { type Member, Organizations } from "@freehold/core/organization/Organizations"
import { Duration, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import * as LinkOrigin from "../LinkOrigin.ts"
import { type Accountable, accountable, accountably } from "../Operator.ts"
import { signInLink } from "../Origin.ts"
import { json, print, table } from "../Output.ts"
import { Settings } from "../Settings.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const grantView = (connection: Connection) => ({
  connection_id: connection.connectionId,
  client_id: connection.clientId,
  first_seen: connection.firstSeen.toISOString(),
  status: connection.revokedAt === null ? "active" as const : "revoked" as const,
  revoked_at: connection.revokedAt?.toISOString() ?? null
})

const memberView = (member: Member, connections: ReadonlyArray<Connection>) => ({
  member_id: member.memberId,
  email: member.email,
  name: member.name,
  role: member.role,
  seat: member.seat,
  status: member.status,
  territory: member.territory,
  monthly_credit_limit: member.monthlyCreditLimit,
  grants: connections.filter(({ memberId }) => memberId === member.memberId).map(grantView)
})

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const members = yield* Organizations.use((organizations) => organizations.members(orgId))
    const connections = yield* Connections.use((connections) => connections.list(orgId))
    yield* print(input.json, { items: members.map((member) => memberView(member, connections)) }, ({ items }) =>
      table(
        ["email", "name", "role", "seat", "status", "territory", "monthly_credit_limit", "connections"],
        items.map((member) => [
          member.email,
          member.name,
          member.role,
          member.seat ? "yes" : "no",
          member.status,
          member.territory === null ? "all" : member.territory.county_fips.join(" "),
          String(member.monthly_credit_limit ?? "none"),
          member.grants.map(({ client_id, status }) => status === "active" ? client_id : `${client_id} (revoked)`).join(
            ", "
          )
        ])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List the members of an organization and their assistant connections"),
  Command.withExamples([{ command: "freehold member list --org org_acme", description: "Everyone of org_acme" }])
)

const email = Flag.String("email").pipe(
  Flag.withMetavar("EMAIL"),
  Flag.withDescription("The member, in any status")
)

const client = Flag.String("client").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("Only the connection of this assistant, by its client id at the authorization server"),
  Flag.optional
)

/** The member of that address, in any status. */
const findMember = Effect.fnUntraced(function*(orgId: string, address: string) {
  const members = yield* Organizations.use((organizations) => organizations.members(orgId))
  const member = members.find((each) => each.email.toLowerCase() === address.toLowerCase())
  return member ?? (yield* new CommandRefused({ reason: `${orgId} has no member ${address}` }))
})

/** A line of the logs about a member. */
const done = (
  action: DoneToOrganization["action"],
  orgId: string,
  { email, memberId, name }: Member,
  after: DoneToOrganization["after"]
): DoneToOrganization => ({ action, orgId, subject: email, told: { id: memberId, name }, before: null, after })

/** Revokes or clears, and shows those meant, changed or not; refuses where there is nobody or nothing of that name. */
const setRevoked = Effect.fn(function*(
  input: Accountable & {
    readonly org: string
    readonly email: string
    readonly client: Option.Option<string>
    readonly json: boolean
  },
  revoked: boolean
) {
  const { org_id: orgId } = yield* findOrganization(input.org)
  const member = yield* findMember(orgId, input.email)
  const clientId = Option.getOrNull(input.client)
  const setting = Connections.use((connections) =>
    connections.setRevoked({ orgId, memberId: member.memberId, clientId, revoked })
  )
  yield* accountably(input, setting, (changed) =>
    changed.length === 0 ? null : done(
      revoked ? "member.connections_revoked" : "member.connections_cleared",
      orgId,
      member,
      { clients: changed.map(({ clientId }) => clientId) }
    ))
  const connections = yield* Connections.use((connections) => connections.list(orgId))
  const meant = connections.filter((each) =>
    each.memberId === member.memberId && (clientId === null || each.clientId === clientId)
  )
  if (meant.length === 0) {
    const none = clientId === null ? "no assistant connection" : `no connection with ${clientId}`
    return yield* new CommandRefused({ reason: `${member.email} has ${none}` })
  }
  yield* print(input.json, { items: meant.map(grantView) }, ({ items }) =>
    table(
      ["connection_id", "client_id", "status", "first_seen"],
      items.map(({ client_id, connection_id, first_seen, status }) => [connection_id, client_id, status, first_seen])
    ))
})

const revokeGrant = Command.make(
  "revoke-grant",
  { org, email, client, ...accountable, json },
  Effect.fn(function*(input) {
    yield* setRevoked(input, true)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Revoke a member's assistant connections; they stay revoked after signing in again"),
  Command.withExamples([{
    command: "freehold member revoke-grant --org org_acme --email ana@acme.example",
    description: "Every assistant of Ana is refused on its next request"
  }])
)

const clearGrant = Command.make(
  "clear-grant",
  { org, email, client, ...accountable, json },
  Effect.fn(function*(input) {
    yield* setRevoked(input, false)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Let revoked assistant connections of a member in again"),
  Command.withExamples([{
    command: "freehold member clear-grant --org org_acme --email ana@acme.example --client assistant",
    description: "Ana's connection with that one assistant works again"
  }])
)

const link = Command.make(
  "link",
  { org, email, port: LinkOrigin.port, ...accountable, json },
  Effect.fn(function*(input) {
    const settings = yield* Settings
    if (!settings.console) {
      return yield* new CommandRefused({ reason: "the app is switched off (FREEHOLD_CONSOLE=off), so nobody signs in" })
    }
    const origin = yield* LinkOrigin.dialled(settings, input.port)
    const { org_id: orgId } = yield* findOrganization(input.org)
    const member = yield* findMember(orgId, input.email)
    const issuing = AppSignIn.use((signIn) => signIn.issueLink(orgId, member.memberId))
    const secret = yield* accountably(
      input,
      issuing,
      (secret) => Option.isNone(secret) ? null : done("member.link_issued", orgId, member, null)
    )
    if (Option.isNone(secret)) {
      return yield* new CommandRefused({ reason: `${member.email} was removed from ${orgId}` })
    }
    const url = signInLink(origin, secret.value)
    const minutes = Duration.toMinutes(linkLifetime)
    yield* print(
      input.json,
      { url, email: member.email, minutes },
      () => `${url}\n\nSigns in as ${member.name} once, within ${minutes} minutes; a link made before no longer does.`
    )
    yield* LinkOrigin.warnIfSilent(settings, origin)
  }, Effect.provide(Layer.provideMerge(AppSignIn.layer, administration)))
).pipe(
  Command.withDescription("Print a link by which a member signs in to the app, once"),
  Command.withExamples([{
    command: "freehold member link --org org_acme --email ana@acme.example",
    description: "Ana opens it in a browser within 15 minutes"
  }])
)

export const memberCommand = Command.make("member").pipe(
  Command.withExamples([{
    command: "freehold member list --org org_acme",
    description: "Members with their assistant connections"
  }]),
  Command.withSubcommands([list, link, revokeGrant, clearGrant])
)
