/**
 * How far the heap of a process that does nothing but import may grow.
 *
 * V8 lets what is in use become up to four times as much before it collects, and of a file nearly all is garbage at once. At
 * twice as much an import keeps below 400 MB, for two hundredths of its own processor time. V8 looks at the setting after each
 * collection, so that it may be made while the process runs.
 */
import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"

export const restrain: Effect.Effect<void> = Effect.sync(() => setFlagsFromString("--heap-growing-percent=100"))
