/** `freehold doctor`: whether this installation is well. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { json, print } from "../Output.ts"

const doctor = Effect.promise(() => import("../Doctor.ts"))

export const doctorCommand = Command.make(
  "doctor",
  { json },
  Effect.fn(function*(input) {
    const { examine } = yield* doctor
    const findings = yield* examine({ laws: true })
    const faults = findings.filter(({ outcome }) => outcome === "fault")
    const width = Math.max(...findings.map(({ check }) => check.length))
    yield* print(
      input.json,
      { ok: faults.length === 0, checks: findings },
      ({ checks }) =>
        checks.map(({ check, detail, outcome }) => `${outcome.padEnd(7)}  ${check.padEnd(width)}  ${detail}`).join("\n")
    )
    if (faults.length > 0) {
      return yield* new CommandRefused({
        reason: faults.length === 1 ? "found a fault" : `found ${faults.length} faults`
      })
    }
  })
).pipe(
  Command.withExamples([{
    command: "freehold doctor",
    description: "A line for each check; exit code 1 when one finds a fault"
  }])
)
