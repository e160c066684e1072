/** `freehold key`: the API keys of organizations. */
import { type Credential, KeyRing } from "@freehold/core/access/KeyRing"
import * as Keys from "@freehold/core/access/Keys"
import { maximumKeyName } from "@freehold/core/access/Keys"
import { differenceOf } from "@freehold/core/administration/Administration"
import { settingsOf } from "@freehold/core/administration/KeySettings"
import { within } from "@freehold/core/operation/Characters"
import { addedOnly, Scope } from "@freehold/core/operation/Scope"
import { parseId } from "@freehold/core/operation/Uuid"
import type { DoneToOrganization } from "@freehold/core/operator/OperatorNote"
import { DailyLimitKind } from "@freehold/core/organization/Organization"
import { Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { accounting } from "../LazyComposition.ts"
import { type Accountable, accountable, accountably } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { expiresFlag, momentForm, momentOf, overlapFlag } from "./MomentFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const view = (key: Credential) => ({
  credential_id: key.credentialId,
  org_id: key.orgId,
  name: key.name,
  label: key.label,
  scopes: key.scopes,
  daily_limits: key.dailyLimits,
  status: key.status,
  created_at: key.createdAt.toISOString(),
  revoked_at: key.revokedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  previous_until: key.previousUntil?.toISOString() ?? null
})
type KeyView = ReturnType<typeof view>

const limitsText = (limits: KeyView["daily_limits"]): string =>
  Object.entries(limits).flatMap(([kind, limit]) => limit === null ? [] : [`${kind}=${limit}`]).join(" ")

const lines = (key: KeyView) =>
  record([
    ["credential_id", key.credential_id],
    ["org_id", key.org_id],
    ["label", key.label],
    ["scopes", key.scopes.join(",")],
    ["daily_limits", limitsText(key.daily_limits)],
    ["status", key.status],
    ["expires_at", key.expires_at],
    ...key.previous_until === null ? [] : [["previous_until", key.previous_until] as const]
  ])

/** Prints a key with its secret. */
const showOnce = (asJson: boolean, key: Credential, secret: Redacted.Redacted) =>
  print(
    asJson,
    { ...view(key), secret: Redacted.value(secret) },
    (made) => `${lines(made)}\nsecret         ${made.secret}\n\nThe secret is shown this once.`
  )

/** A daily limit as a person writes it: `contact_reveal=50`, or `contact_reveal=none` to lift it. */
type Limit = readonly [kind: DailyLimitKind, limit: number | null]

const isKind = Schema.is(DailyLimitKind)

const limitOf = (text: string): Option.Option<Limit> => {
  const [kind, limit, ...rest] = text.split("=")
  if (!isKind(kind) || limit === undefined || rest.length > 0) return Option.none()
  if (limit === "none") return Option.some([kind, null])
  return /^\d{1,9}$/.test(limit) ? Option.some([kind, Number(limit)]) : Option.none()
}

const limitHint = `Expected KIND=N or KIND=none, where KIND is one of ${DailyLimitKind.literals.join(", ")}`

const scopesAtFirst = Scope.literals.filter((scope) => !addedOnly.includes(scope)).join(", ")

const scopes = Flag.String("scopes").pipe(
  Flag.withMetavar("A,B"),
  Flag.withDescription(
    `What the key may do, separated by commas: ${scopesAtFirst}. freehold key allow adds ${addedOnly.join(", ")}`
  ),
  Flag.filterMap(
    (text) => Schema.decodeUnknownOption(Schema.NonEmptyArray(Scope))(text.split(",").map((scope) => scope.trim())),
    (text) => `Expected scopes out of ${scopesAtFirst}, separated by commas, got "${text}"`
  ),
  Flag.filter(
    (granted) => !granted.some((scope) => addedOnly.includes(scope)),
    () => `The scope ${addedOnly.join(", ")} cannot be given at creation; add it with: freehold key allow`
  )
)

const name = Flag.String("name").pipe(
  Flag.withDescription(`What people call the key, up to ${maximumKeyName} characters`),
  Flag.filter(
    (text) => text.trim() !== "" && within(text, 1, maximumKeyName),
    () => `Expected a name of 1 to ${maximumKeyName} characters`
  )
)

const dailyLimits = Flag.String("daily-limit").pipe(
  Flag.withMetavar("KIND=N"),
  Flag.withDescription("At most N a day of that kind of data; 0 pauses the key. May be repeated"),
  Flag.filterMap(limitOf, (text) => `${limitHint}, got "${text}"`),
  Flag.atLeast(0),
  Flag.withDefault([])
)

/** What of a key its organization's admins read in their log. */
const factsOf = (key: Credential) => ({
  ...settingsOf(key),
  label: key.label,
  status: key.status,
  expires_at: key.expiresAt?.toISOString() ?? null,
  previous_until: key.previousUntil?.toISOString() ?? null
})

/** A line of the logs about a key. */
const done = (
  action: DoneToOrganization["action"],
  { credentialId, label, orgId }: Credential,
  sides: Pick<DoneToOrganization, "before" | "after">
): DoneToOrganization => ({ action, orgId, subject: label, told: { id: credentialId, name: label }, ...sides })

const create = Command.make(
  "create",
  {
    org,
    name,
    scopes,
    dailyLimits,
    expires: expiresFlag("The key works until then; for good by default"),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const keys = yield* Keys.make
    const { org_id: orgId } = yield* findOrganization(input.org)
    const { credential, secret } = yield* accountably(
      input,
      keys.create({
        orgId,
        name: input.name,
        scopes: input.scopes,
        dailyLimits: Object.fromEntries(input.dailyLimits),
        ...Option.isSome(input.expires) ? { expiresAt: input.expires.value } : {}
      }),
      ({ credential }) => done("key.created", credential, { before: null, after: factsOf(credential) })
    )
    yield* showOnce(input.json, credential, secret)
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Make a key; its secret is shown once"),
  Command.withExamples([{
    command:
      "freehold key create --org org_acme --name ci --scopes data:read,data:unlock --daily-limit contact_reveal=50",
    description: "A key that searches, reads and unlocks, with at most 50 contacts a day"
  }])
)

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const keys = yield* Keys.make
    yield* print(input.json, { items: (yield* keys.list(orgId)).map(view) }, ({ items }) =>
      table(
        ["credential_id", "label", "status", "scopes", "daily_limits", "created_at", "expires_at"],
        items.map((key) => [
          key.credential_id,
          key.label,
          key.status,
          key.scopes.join(","),
          limitsText(key.daily_limits),
          key.created_at,
          key.expires_at
        ])
      ))
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("List the keys of an organization, revoked ones included"),
  Command.withExamples([{ command: "freehold key list --org org_acme", description: "All keys of org_acme" }])
)

const id = Argument.String("id").pipe(Argument.withDescription("The key's credential_id"))

const noKey = (id: string) => new CommandRefused({ reason: `there is no key ${id}` })

/** Changes the key of that id, and writes down who did and what differs then; `keyOf`, in what came of it. */
const changing = Effect.fnUntraced(function*<A, Refusal, R>(
  input: Accountable & { readonly id: string },
  action: DoneToOrganization["action"],
  doing: (keys: Effect.Success<typeof Keys.make>, id: string) => Effect.Effect<A, Refusal, R>,
  keyOf: (changed: A) => Credential
) {
  const keys = yield* Keys.make
  const unknown = () => noKey(input.id)
  const id = yield* Effect.mapError(Effect.fromOption(parseId(input.id)), unknown)
  const before = KeyRing.use((ring) => ring.update(id, {})).pipe(
    Effect.flatMap((found) => Effect.mapError(Effect.fromOption(found), unknown))
  )
  const both = Effect.all({ before, changed: doing(keys, id) })
  const { changed } = yield* accountably(input, both, ({ before, changed }) => {
    const key = keyOf(changed)
    const difference = differenceOf(factsOf(before), factsOf(key))
    return difference === null ? null : done(action, key, difference)
  })
  return changed
})

/** Changes the key of that id, and shows it as it is then. */
const change = <E, R>(
  input: Accountable & { readonly id: string; readonly json: boolean },
  action: DoneToOrganization["action"],
  doing: (keys: Effect.Success<typeof Keys.make>, id: string) => Effect.Effect<Credential, E, R>
) =>
  Effect.gen(function*() {
    const changed = yield* changing(input, action, doing, (key) => key)
    yield* print(input.json, view(changed), lines)
  }).pipe(Effect.provide(accounting))

const revoke = Command.make(
  "revoke",
  { id, ...accountable, json },
  (input) => change(input, "key.revoked", (keys, id) => keys.revoke(id))
).pipe(
  Command.withDescription("Revoke a key; it fails on its very next request"),
  Command.withExamples([{
    command: "freehold key revoke 3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10",
    description: "Revoke the key of that id"
  }])
)

const limitArgument = Argument.String("kind=n").pipe(
  Argument.withDescription("The limit of one kind of data a day; 0 pauses, none lifts"),
  Argument.filterMap(limitOf, (text) => `${limitHint}, got "${text}"`)
)

const rotate = Command.make(
  "rotate",
  {
    id,
    overlap: overlapFlag("How long the old secret works as well, such as 24h"),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const { credential, secret } = yield* changing(
      input,
      "key.rotated",
      (keys, id) => keys.rotate(id, input.overlap),
      ({ credential }) => credential
    )
    yield* showOnce(input.json, credential, secret)
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Give a key a new secret, shown once; the old one works beside it until the overlap is over"),
  Command.withExamples([{
    command: "freehold key rotate 3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10 --overlap 48h",
    description: "Two days to bring the new secret to whoever calls with it"
  }])
)

const expire = Command.make(
  "expire",
  {
    id,
    at: Argument.String("time").pipe(
      Argument.withDescription("When it expires, as in 2027-01-01T00:00:00Z; never lifts it"),
      Argument.filterMap(
        (text) => text === "never" ? Option.some(null) : momentOf(text),
        (text) => `Expected never or ${momentForm}, got "${text}"`
      )
    ),
    ...accountable,
    json
  },
  (input) => change(input, "key.expiry_set", (keys, id) => keys.expire(id, input.at))
).pipe(
  Command.withDescription("Set or lift the time from which a key works no more"),
  Command.withExamples([{
    command: "freehold key expire 3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10 2027-01-01T00:00:00Z",
    description: "It answers 401 from the first of January on"
  }])
)

const setLimit = Command.make(
  "set-limit",
  {
    id,
    limit: limitArgument,
    more: limitArgument.pipe(Argument.atLeast(0)),
    ...accountable,
    json
  },
  (input) =>
    change(
      input,
      "key.limited",
      Effect.fnUntraced(function*(keys, id) {
        let key = yield* keys.setLimit(id, ...input.limit)
        for (const limit of input.more) key = yield* keys.setLimit(id, ...limit)
        return key
      })
    )
).pipe(
  Command.withDescription("Set or lift daily limits of a key"),
  Command.withExamples([{
    command: "freehold key set-limit 3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10 contact_reveal=50 lead_export=none",
    description: "At most 50 contacts a day, any number of lead deliveries"
  }])
)

const allow = Command.make(
  "allow",
  {
    id,
    scope: Argument.Literals("scope", addedOnly).pipe(
      Argument.withDescription(`The scope to add: ${addedOnly.join(", ")}`)
    ),
    ...accountable,
    json
  },
  (input) => change(input, "key.allowed", (keys, id) => keys.allow(id, input.scope))
).pipe(
  Command.withDescription("Add a scope that cannot be given when a key is made"),
  Command.withExamples([{
    command: "freehold key allow 3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10 pipeline:transitions_full",
    description: "Let the key move leads through every stage"
  }])
)

export const keyCommand = Command.make("key").pipe(
  Command.withExamples([{ command: "freehold key list --org org_acme", description: "All keys of org_acme" }]),
  Command.withSubcommands([create, list, rotate, expire, revoke, setLimit, allow])
)
