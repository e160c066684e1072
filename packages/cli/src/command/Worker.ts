/** `freehold worker`: deliveries, research and the sync of sources alone. */
import { Layer } from "effect"
import { Command } from "effect/cli"
import { workers } from "../LazyComposition.ts"
import { endsWhenStopped } from "../StoppedBySignal.ts"

export const workerCommand = Command.make(
  "worker",
  {},
  () => endsWhenStopped(Layer.launch(workers))
).pipe(
  Command.withExamples([{
    command: "DATABASE_URL=postgres://freehold@db/freehold freehold worker",
    description: "A worker beside servers that were started with --no-worker"
  }])
)
