/**
 * The `freehold` command: its subcommands, and how it ends.
 *
 * | exit code | when                                                            |
 * | --------- | --------------------------------------------------------------- |
 * | 0         | success; a server that was asked to stop                        |
 * | 1         | a refusal, rejected rows, a broken law, a fault of the database |
 * | 2         | wrong usage, a setting that is missing or does not parse        |
 * | 130       | interrupted before it was done                                  |
 *
 * A refusal is one line on standard error.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { isPlain } from "@freehold/core/operation/PlainText"
import { Cause, Console, Effect, Layer, Logger, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { commands } from "./CommandList.ts"
import { CommandRefused } from "./CommandRefused.ts"
import * as Help from "./Help.ts"
import { escaped } from "./Terminal.ts"
import { version } from "./Version.ts"
import { isClosedPipe, whyNot } from "./WhyNot.ts"

/** The command with everything that stands below the commands that are needed. */
export const freehold = (isNeeded: (name: string) => boolean) =>
  Effect.map(
    Effect.promise(() => commands(isNeeded)),
    (groups) =>
      Command.make("freehold").pipe(
        Command.withDescription("Commercial-property intelligence and lead delivery that a company runs itself"),
        Command.withExamples([
          { command: "freehold serve --demo", description: "Try it with made-up data on an embedded PostgreSQL" },
          { command: "freehold doctor", description: "Is this installation well?" }
        ]),
        Command.withSubcommands(groups)
      )
  )

/** What a command that there is not was given is no news. */
const toldOf = (errors: ReadonlyArray<CliError.CliError>): ReadonlyArray<CliError.CliError> => {
  const unknown = errors.filter(({ _tag }) => _tag === "UnknownSubcommand")
  return unknown.length > 0 ? unknown : errors
}

/** Wrong usage goes to standard error with a pointer to the help; help itself is a result. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
        `freehold: ${escaped(toldOf(event.errors).map(({ message }) => message).join("; "))}\nSee: ${
          event.commandPath.join(" ")
        } --help`
      )
      : CliOutput.defaultPresenter.present(event)
}

/** Help, and what a command refuses of its usage, in the form of all else. */
const formatter: CliOutput.Formatter = {
  ...CliOutput.defaultFormatter(),
  formatHelpDoc: Help.format,
  formatError: ({ message }) => escaped(`freehold: ${message}`)
}

const surroundings = Layer.mergeAll(
  NodeServices.layer,
  Layer.succeed(Logger.LogToStderr, true),
  CliOutput.layerPresenter(presenter),
  CliOutput.layer(formatter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)

/** The stable code of a refusal of core, which people can look up. */
const codeOf = (error: Error): string =>
  "_tag" in error && /^[A-Z]+(_[A-Z]+)+$/.test(String(error._tag)) ? ` (${String(error._tag)})` : ""

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}${codeOf(error)}` : String(error)

/** What PostgreSQL answers to a role that lacks a right: no fault of ours, though it comes where none is expected. */
const lackOfRights = (cause: Cause.Cause<unknown>) =>
  Effect.promise(() => import("./DatabaseFault.ts")).pipe(
    Effect.map(({ lackedRight }) => lackedRight(Cause.squash(cause)))
  )

/** Says what went wrong: a refusal by its message, a fault of ours with everything that is known of it. */
const report = Effect.fnUntraced(function*(cause: Cause.Cause<unknown>) {
  if (Cause.hasInterruptsOnly(cause)) return
  if (Cause.hasDies(cause)) {
    const lack = yield* lackOfRights(cause)
    const told = lack === null ? `unexpected failure\n${Cause.pretty(cause)}` : lack.message
    return yield* Console.error(escaped(`freehold: ${told}`))
  }
  const error = Cause.squash(cause)
  if (!CliError.isCliError(error)) yield* Console.error(escaped(`freehold: ${messageOf(error)}`))
})

const isWrongUsage = (error: unknown): boolean =>
  CliError.isCliError(error) && !(error._tag === "ShowHelp" && error.errors.length === 0)

/** A result that was not written was not given, and may be gone for good: so the command has failed, though all was done. */
let isResultLost = false

/** Who has read enough of a pipe is content, as with other commands. */
const noticeLostResults = (): void => {
  process.stdout.on("error", (error) => {
    if (isResultLost || isClosedPipe(error)) return
    isResultLost = true
    // It may be told when all else is over.
    process.exitCode = 1
    process.stderr.write(`freehold: the result is lost: cannot write standard output: ${whyNot(error)}\n`)
  })
}

/** What runs until it is stopped sets `process.exitCode` to 0: for it, being interrupted is no failure. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) && process.exitCode === 0) return onExit(0)
  if (exit._tag === "Failure" && isWrongUsage(Cause.squash(exit.cause))) return onExit(2)
  if (exit._tag === "Success" && isResultLost) return onExit(1)
  return Runtime.defaultTeardown(exit, onExit)
}

/** What is written here is kept as what a client sends is, and by the same rule. */
const plainArguments = Effect.suspend(() =>
  process.argv.slice(2).every(isPlain)
    ? Effect.void
    : Effect.fail(new CommandRefused({ reason: "an argument holds control characters" }))
)

/** Completions are made of all commands; everything else of the one that is called, if any is. */
const isNeeded = (args: ReadonlyArray<string>) => {
  const called = args.find((arg) => !arg.startsWith("-"))
  const all = args.some((arg) => arg.startsWith("--completions"))
  return (name: string): boolean => all || name === called
}

export const main = (): void => {
  noticeLostResults()
  plainArguments.pipe(
    Effect.andThen(freehold(isNeeded(process.argv.slice(2)))),
    Effect.flatMap(Command.run({ version })),
    Effect.tapCause(report),
    Effect.provide(surroundings),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
}
