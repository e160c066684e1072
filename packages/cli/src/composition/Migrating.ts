/** A database whose schema is brought up to date before anything works over it. */
import { Effect, Layer } from "effect"
import { tellImporter } from "../DatabaseGuards.ts"
import { migrate } from "../DatabaseSchema.ts"
import { plain } from "./Foundation.ts"

/** The migrations that bring the schema up to date, to be run. */
export const migration = { run: Effect.tap(migrate, tellImporter), layer: plain }

export const migrating = Layer.effectDiscard(
  Effect.tap(migrate, (applied) => applied.length === 0 ? Effect.void : tellImporter)
)
