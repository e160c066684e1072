/** The installation as the operator's area shows it: what `freehold doctor` says, and the queues that are watched. */
import * as WorkPg from "@freehold/adapters-pg/diagnosis/WorkPg"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Installation } from "@freehold/core/operator/Installation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Loaded when it is asked for, since it brings connections and layers of its own. */
const findings = Effect.promise(() => import("./Doctor.ts")).pipe(
  Effect.flatMap(({ examine }) => examine({ laws: false })),
  // A server runs with settings that parse.
  Effect.catchTag("SettingFault", Effect.die)
)

const retryAfterSeconds = 2

export const layer = Layer.effect(
  Installation,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Installation.of({
      findings,
      work: Effect.provideService(WorkPg.read, SqlClient.SqlClient, sql).pipe(
        Effect.map(({ deliveries, endpoints, events, research }) => ({ deliveries, endpoints, events, research })),
        Effect.catchTag("SqlError", () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds })))
      )
    }))
)
