/** The installation as the operator's area shows it: what `freehold doctor` says, and the queues that are watched. */
import * as WorkPg from "@freehold/adapters-pg/diagnosis/WorkPg"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Installation } from "@freehold/core/operator/Installation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { examine } from "./Doctor.ts"

/** A server runs with settings that parse. */
const findings = Effect.catchTag(examine({ laws: false }), "SettingFault", Effect.die)

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
