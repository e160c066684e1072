/** The databases of other installations that the commands of a cell speak with. */
import * as Importer from "@freehold/adapters-pg/cell/Importer"
import { Target } from "@freehold/adapters-pg/cell/Move"
import type { Clients } from "@freehold/adapters-pg/database/Database"
import { Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type DatabaseFault, faultOf } from "./DatabaseFault.ts"
import { SettingFault } from "./setting/Setting.ts"
import { Settings } from "./Settings.ts"

/** Another installation's database beside that of this one, whose setting has to be there. */
const beside = <A>(
  given: Option.Option<Redacted.Redacted>,
  missing: SettingFault,
  at: Layer.Layer<A, never, Clients>
) =>
  Layer.unwrap(Effect.gen(function*() {
    const { databaseManner } = yield* Settings
    if (Option.isNone(given)) return yield* missing
    return at.pipe(
      Layer.provide(Importer.clients(given.value, databaseManner)),
      Layer.catchTag("SqlError", (error) => Layer.effectContext<A, DatabaseFault, never>(Effect.fail(faultOf(error))))
    )
  }))

/** The importing installation. */
export const importer = Layer.unwrap(
  Settings.useSync(({ importerUrl }) =>
    beside(
      importerUrl,
      new SettingFault({
        setting: "FREEHOLD_IMPORTER_URL",
        expected: "set to the database of the importing installation",
        found: null
      }),
      Importer.layer
    )
  )
)

/** The cell that an organization moves to. */
export const target = Layer.unwrap(
  Settings.useSync(({ targetUrl }) =>
    beside(
      targetUrl,
      new SettingFault({
        setting: "FREEHOLD_TARGET_URL",
        expected: "set to the database of the cell to move to",
        found: null
      }),
      Layer.effect(Target, SqlClient.SqlClient)
    )
  )
)
