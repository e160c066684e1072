/** What is wrong with the flags of a command when they are looked at together: one sentence for the person, and exit code 2. */
import { CliError } from "effect/cli"
import { CommandRefused } from "./CommandRefused.ts"

export const wrongUsage = (reason: string): CliError.UserError =>
  new CliError.UserError({ cause: new CommandRefused({ reason }) })
