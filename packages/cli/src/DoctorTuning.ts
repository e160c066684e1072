/** What `freehold doctor` says of how the database is set for its machine, by the rules that the embedded one goes by. */
import * as TuningPg from "@freehold/adapters-pg/diagnosis/TuningPg"
import { thisMachine } from "@freehold/adapters-pg/tuning/ThisMachine"
import { judge, type Machine, type Misfit } from "@freehold/adapters-pg/tuning/Tuning"
import { Effect, Option, Redacted } from "effect"
import { Settings } from "./Settings.ts"

interface TuningFinding {
  readonly check: "tuning"
  readonly outcome: "ok" | "advice"
  readonly detail: string
}

const finding = (outcome: TuningFinding["outcome"], detail: string): TuningFinding => ({
  check: "tuning",
  outcome,
  detail
})

const isThisMachine = (url: Redacted.Redacted): boolean =>
  ["localhost", "127.0.0.1", "[::1]", ""].includes(new URL(Redacted.value(url)).hostname)

const unknown = { memory: null, processors: null, disk: null }

/** What is known of the machine that the database is on. */
const machine = Effect.map(Settings, ({ dataDirectory, databaseMachine, databaseUrl }) => {
  if (Option.isNone(databaseUrl)) return { ...thisMachine(dataDirectory), shared: true }
  const shared = isThisMachine(databaseUrl.value)
  // The disk of the database may be another one.
  const found = shared ? { ...thisMachine("/"), disk: null } : unknown
  return { ...Option.getOrElse(databaseMachine, () => found), shared }
})

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`

const described = ({ disk, memory, processors }: Machine): string =>
  [
    ...memory === null ? [] : [`${gigabytes(memory)} of memory`],
    ...processors === null ? [] : [`${processors} ${processors === 1 ? "processor" : "processors"}`],
    ...disk === null ? [] : [`a disk of ${gigabytes(disk)}`]
  ].join(", ") || "any machine"

/** How a setting of the embedded server is changed. */
const mendEmbedded = ({ best, name }: Misfit, chosen: boolean): string =>
  chosen
    ? `FREEHOLD_POSTGRES_TUNING has it so; ${name}=${best} there, or nothing, fits`
    : "it has it since it was started; it takes what fits at its next start, when all that use it have ended"

/** A line for each setting that does not fit, or one for all of them. */
export const tuning = Effect.gen(function*() {
  const { databaseUrl, postgresTuning } = yield* Settings
  const { connections, inForce, lz4, mend } = yield* TuningPg.standing
  const known: Machine = { ...yield* machine, connections, lz4 }
  const { judged, misfits } = judge(known, inForce)
  const left = inForce.size - judged
  const rest = left === 0
    ? ""
    : `; ${left} more go by the machine: say what it has in FREEHOLD_DATABASE_MACHINE, and they are judged too`
  if (misfits.length === 0) return [finding("ok", `${judged} settings fit ${described(known)}${rest}`)]
  return misfits.map((misfit) => {
    const { best, found, name, why } = misfit
    const how = Option.isSome(databaseUrl)
      ? mend(misfit)
      : mendEmbedded(misfit, Option.exists(postgresTuning, (chosen) => name in chosen))
    return finding("advice", `${name} is ${found}, where ${best} fits ${described(known)}: ${why}; ${how}`)
  })
})
