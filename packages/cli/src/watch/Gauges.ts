/** What is measured when somebody looks: the process and the work that waits. Looked at once a second at most. */
import * as Database from "@freehold/adapters-pg/database/Database"
import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Settings } from "../Settings.ts"
import * as ProcessGauges from "./ProcessGauges.ts"
import * as WorkGauges from "./WorkGauges.ts"

const keptFor = Duration.seconds(1)

/** Where nobody comes to look, and metrics are sent instead. */
const interval = Duration.seconds(10)

export class Gauges extends Context.Service<Gauges, {
  readonly refresh: Effect.Effect<void>
}>()("@freehold/cli/watch/Gauges") {
  static readonly layer = Layer.effect(
    Gauges,
    Effect.gen(function*() {
      // What is counted may take as long as it may, and readiness has a connection of its own.
      const sql = yield* Database.Reads
      const { telemetryUrl, watchAddress } = yield* Settings
      if (Option.isNone(telemetryUrl) && Option.isNone(watchAddress)) return Gauges.of({ refresh: Effect.void })
      const ofProcess = yield* ProcessGauges.make
      const look = Effect.andThen(ofProcess.refresh, WorkGauges.refresh)
      const refresh = yield* Effect.cachedWithTTL(Effect.provideService(look, SqlClient.SqlClient, sql), keptFor)
      if (Option.isSome(telemetryUrl)) {
        yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(interval)))
      }
      return Gauges.of({ refresh })
    })
  )
}
