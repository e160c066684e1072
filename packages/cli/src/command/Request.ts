/** `freehold request`: what organizations ask the operator for. */
import { parseId } from "@freehold/core/operation/Uuid"
import { closedNoted } from "@freehold/core/operator/OperatorNote"
import { type OperatorRequest, OperatorRequests, RequestStatus } from "@freehold/core/request/OperatorRequests"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { accounting } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { allPages, type Page } from "./AllPages.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const view = (request: OperatorRequest) => ({
  id: request.id,
  org_id: request.orgId,
  kind: request.kind,
  status: request.status,
  subject: request.subject,
  message: request.message,
  county_fips: request.countyFips,
  actor: request.actor,
  request_id: request.requestId,
  created_at: request.createdAt,
  closed_at: request.closedAt,
  answer: request.answer
})

const aboutOf = ({ answer, county_fips: counties, message, subject }: ReturnType<typeof view>): string =>
  (counties === null ? `${subject}: ${message}` : counties.join(" ")) + (answer === null ? "" : `; answered: ${answer}`)

const list = Command.make(
  "list",
  {
    org: org.pipe(Flag.optional),
    status: Flag.Literals("status", RequestStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    json
  },
  Effect.fn(function*(input) {
    const orgId = Option.isNone(input.org) ? null : (yield* findOrganization(input.org.value)).org_id
    const status = Option.getOrNull(input.status)
    const port = yield* OperatorRequests
    const requests = yield* allPages(({ last: after, limit }: Page<OperatorRequest>) =>
      Effect.map(port.list({ orgId, status, after, limit, offset: 0 }), (found) => found.requests)
    )
    yield* print(input.json, { items: requests.map(view) }, ({ items }) =>
      table(
        ["id", "created_at", "org_id", "kind", "status", "from", "about"],
        items.map((request) => [
          request.id,
          request.created_at,
          request.org_id,
          request.kind,
          request.status,
          request.actor.name,
          aboutOf(request)
        ])
      ))
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("List what organizations asked for, newest first"),
  Command.withExamples([{ command: "freehold request list --status open", description: "What waits for an answer" }])
)

const close = Command.make(
  "close",
  {
    id: Argument.String("id").pipe(Argument.withDescription("Id of the request")),
    answer: Flag.String("answer").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("What the organization is answered, at most 5,000 characters"),
      Flag.filter((text) => text.trim() !== "" && text.length <= 5000, () => "Expected 1 to 5,000 characters"),
      Flag.optional
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const closing = Effect.gen(function*() {
      const id = yield* Effect.fromOption(parseId(input.id))
      const port = yield* OperatorRequests
      return yield* Effect.fromOption(
        yield* port.close(id, yield* Clock.currentTimeMillis, Option.getOrNull(input.answer))
      )
    }).pipe(
      Effect.catchTags({
        NoSuchElementError: () => Effect.fail(new CommandRefused({ reason: "there is no such request" })),
        ClosedBefore: ({ message }) => Effect.fail(new CommandRefused({ reason: message }))
      })
    )
    const closed = yield* accountably(input, closing, closedNoted)
    yield* print(
      input.json,
      view(closed),
      ({ answer, closed_at, id, status }) => record(Object.entries({ id, status, closed_at, answer }))
    )
  }, Effect.provide(accounting))
).pipe(
  Command.withDescription("Close a request that was answered"),
  Command.withExamples([{
    command: "freehold request close 3f0c2f5e-0000-4000-8000-000000000001",
    description: "A request is done with"
  }])
)

export const requestCommand = Command.make("request").pipe(
  Command.withExamples([{ command: "freehold request list", description: "What organizations asked for" }]),
  Command.withSubcommands([list, close])
)
