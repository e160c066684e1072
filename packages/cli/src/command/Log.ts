/** `freehold log`: who of the operator's people did what, and why. */
import { OperatorLog } from "@freehold/core/administration/OperatorLog"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { accounting } from "../LazyComposition.ts"
import { json, print, table } from "../Output.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

export const logCommand = Command.make(
  "log",
  {
    org: Flag.String("org").pipe(
      Flag.withMetavar("ORG"),
      Flag.withDescription("What is about this organization alone, which may be gone"),
      Flag.optional
    ),
    limit: wholeNumberFlag("limit", { least: 1, most: 1000 }).pipe(
      Flag.withDescription("At most so many lines, the newest first"),
      Flag.withDefault(50)
    ),
    after: Flag.String("after").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("Only lines before this one, by the next_cursor of the page that ended with it"),
      Flag.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), (id) => `Expected an id, got ${id}`),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*({ after, limit, org, ...input }) {
    const found = yield* OperatorLog.use((log) =>
      log.list({ after: Option.getOrNull(after), limit: limit + 1, ...Option.isSome(org) ? { orgId: org.value } : {} })
    )
    const items = found.slice(0, limit)
    const next = found.length > limit ? items.at(-1)?.id ?? null : null
    yield* print(
      input.json,
      { items: items.map(({ orgId, ...item }) => ({ ...item, org_id: orgId })), next_cursor: next },
      (shown) =>
        [
          table(
            ["at", "by", "action", "org", "subject", "reason"],
            shown.items.map((item) => [item.at, item.actor, item.action, item.org_id, item.subject, item.reason])
          ),
          ...next === null ? [] : [`More: freehold log --after ${next}`]
        ].join("\n")
    )
  }, Effect.provide(accounting))
).pipe(
  Command.withExamples([
    { command: "freehold log --limit 20", description: "The last twenty lines" },
    { command: "freehold log --org org_acme", description: "Who suspended, granted or changed what of org_acme" }
  ])
)
