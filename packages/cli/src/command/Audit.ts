/** `freehold audit`: the laws of credits and deliveries over the whole database. */
import { Auditor, type LawReport } from "@freehold/core/credit/Auditor"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { auditing } from "../LazyComposition.ts"
import { json, print, table } from "../Output.ts"

const summary = (laws: ReadonlyArray<LawReport>): string =>
  table(["law", "violations", "what holds"], laws.map(({ count, law, title }) => [law, count, title]))

const rows = (laws: ReadonlyArray<LawReport>): string =>
  table(
    ["law", "org", "record", "fault"],
    laws.flatMap(({ law, violations }) =>
      violations.map(({ fault, orgId, record }) => [law, orgId, record, fault] as const)
    )
  )

export const auditCommand = Command.make(
  "audit",
  { json },
  Effect.fn(function*(input) {
    const laws = yield* Auditor.use(({ audit }) => audit)
    const broken = laws.filter(({ count }) => count > 0)
    const document = {
      ok: broken.length === 0,
      laws: laws.map(({ count, law, title, violations }) => ({
        law,
        title,
        count,
        violations: violations.map(({ fault, orgId, record }) => ({ org_id: orgId, record, fault }))
      }))
    }
    yield* print(
      input.json,
      document,
      () => broken.length === 0 ? summary(laws) : `${summary(laws)}\n\n${rows(broken)}`
    )
    if (broken.length > 0) {
      return yield* new CommandRefused({
        reason: `broken: ${broken.map(({ count, law }) => `${law} (${count})`).join(", ")}`
      })
    }
  }, Effect.provide(auditing))
).pipe(
  Command.withExamples([
    { command: "freehold audit", description: "Every law, and the records that break one" },
    { command: "freehold audit --json", description: "The same as JSON, for a nightly job" }
  ])
)
