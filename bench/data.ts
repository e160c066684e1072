/**
 * Makes data as large and as skewed as the country's:
 * `pnpm bench:data --properties N [--seed N] [--files FOLDER]`.
 *
 * It fills the empty database that `DATABASE_URL` names (as a superuser), or else the embedded one in `FREEHOLD_DATA_DIR`
 * (`.freehold`), and migrates it first. `--files` writes it as files for `freehold import` as well. The same number and
 * seed give the same rows.
 */
import { NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import { Console, Duration, Effect, Redacted } from "effect"
import { mkdirSync } from "node:fs"
import { parseArgs } from "node:util"
import * as ImportFiles from "./national/ImportFiles.ts"
import * as NationalData from "./national/NationalData.ts"

const most = 10_000_000

const { values } = parseArgs({
  options: { properties: { type: "string" }, seed: { type: "string", default: "1" }, files: { type: "string" } }
})
const { files } = values
const properties = Number(values.properties)
const seed = Number(values.seed)

/** Says how long something took. */
const timed = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.timed(effect),
    ([duration, value]) => Effect.as(Console.log(`${name}: ${(Duration.toSeconds(duration)).toFixed(1)} s`), value)
  )

const database = Effect.gen(function*() {
  const url = process.env["DATABASE_URL"]
  if (url !== undefined && url !== "") return Redacted.make(url)
  const dataDirectory = process.env["FREEHOLD_DATA_DIR"] ?? ".freehold"
  return (yield* EmbeddedPostgres.start({ dataDirectory })).url
})

const run = Effect.scoped(Effect.gen(function*() {
  const url = yield* database
  const connected = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, PgClient.layer({ url, maxConnections: 1 }), { local: true })
  yield* connected(Migrations.run)
  yield* timed(`${properties} properties`, NationalData.load(url, { properties, seed }))
  if (files !== undefined) {
    mkdirSync(files, { recursive: true })
    yield* timed(`files in ${files}`, connected(ImportFiles.write(files)))
  }
}))

if (!(Number.isInteger(properties) && properties >= 1 && properties <= most)) {
  console.error(`--properties must be a whole number from 1 to ${most}.`)
  process.exitCode = 2
} else if (!(Number.isInteger(seed) && seed >= 0 && seed <= 1_000_000)) {
  console.error("--seed must be a whole number from 0 to 1000000.")
  process.exitCode = 2
} else {
  run.pipe(
    Effect.catchTag(["DataRefused", "EmbeddedPostgresFailed"], ({ message }) =>
      Effect.sync(() => {
        console.error(message)
        process.exitCode = 1
      })),
    NodeRuntime.runMain
  )
}
