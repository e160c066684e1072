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
import { applyCommand } from "./command/Apply.ts"
import { auditCommand } from "./command/Audit.ts"
import { cellCommand } from "./command/Cell.ts"
import { creditsCommand } from "./command/Credits.ts"
import { crmCommand } from "./command/Crm.ts"
import { doctorCommand } from "./command/Doctor.ts"
import { importCommand } from "./command/Import.ts"
import { keyCommand } from "./command/Key.ts"
import { leadCommand } from "./command/Lead.ts"
import { listCommand } from "./command/List.ts"
import { logCommand } from "./command/Log.ts"
import { mcpCommand } from "./command/Mcp.ts"
import { memberCommand } from "./command/Member.ts"
import { migrateCommand } from "./command/Migrate.ts"
import { noteCommand } from "./command/Note.ts"
import { noticeCommand } from "./command/Notice.ts"
import { operatorCommand } from "./command/Operator.ts"
import { orgCommand } from "./command/Org.ts"
import { propertyCommand } from "./command/Property.ts"
import { contactCommand, eventCommand, firmCommand } from "./command/Record.ts"
import { requestCommand } from "./command/Request.ts"
import { schemaCommand } from "./command/Schema.ts"
import { searchCommand } from "./command/Search.ts"
import { serveCommand } from "./command/Serve.ts"
import { settingsCommand } from "./command/Settings.ts"
import { sourceCommand } from "./command/Source.ts"
import { suppressCommand } from "./command/Suppress.ts"
import { taskCommand } from "./command/Task.ts"
import { webhookCommand } from "./command/Webhook.ts"
import { workerCommand } from "./command/Worker.ts"
import { CommandRefused } from "./CommandRefused.ts"
import { escaped } from "./Terminal.ts"
import { version } from "./Version.ts"

/** The command with everything below it. */
export const freehold = Command.make("freehold").pipe(
  Command.withDescription("Commercial-property intelligence and lead delivery that a company runs itself"),
  Command.withExamples([
    { command: "freehold serve --demo", description: "Try it with made-up data on an embedded PostgreSQL" },
    { command: "freehold doctor", description: "Is this installation well?" }
  ]),
  Command.withSubcommands([
    { group: "To run it", commands: [serveCommand, workerCommand, mcpCommand, migrateCommand, cellCommand] },
    {
      group: "To watch it",
      commands: [
        settingsCommand,
        doctorCommand,
        auditCommand,
        logCommand,
        noticeCommand,
        requestCommand,
        operatorCommand
      ]
    },
    {
      group: "Records",
      commands: [
        importCommand,
        sourceCommand,
        schemaCommand,
        propertyCommand,
        contactCommand,
        firmCommand,
        suppressCommand
      ]
    },
    {
      group: "Organizations",
      commands: [applyCommand, orgCommand, keyCommand, memberCommand, creditsCommand]
    },
    { group: "Delivery", commands: [webhookCommand, crmCommand, eventCommand] },
    {
      group: "What members do",
      commands: [leadCommand, noteCommand, taskCommand, listCommand, searchCommand]
    }
  ])
)

/** Wrong usage goes to standard error with a pointer to the help; help itself is a result. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
        `freehold: ${escaped(event.errors.map(({ message }) => message).join("; "))}\nSee: ${
          event.commandPath.join(" ")
        } --help`
      )
      : CliOutput.defaultPresenter.present(event)
}

const surroundings = Layer.mergeAll(
  NodeServices.layer,
  Layer.succeed(Logger.LogToStderr, true),
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)

/** The stable code of a refusal of core, which people can look up. */
const codeOf = (error: Error): string =>
  "_tag" in error && /^[A-Z]+(_[A-Z]+)+$/.test(String(error._tag)) ? ` (${String(error._tag)})` : ""

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}${codeOf(error)}` : String(error)

/** Says what went wrong: a refusal by its message, a fault of ours with everything that is known of it. */
const report = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  if (Cause.hasDies(cause)) return Console.error(escaped(`freehold: unexpected failure\n${Cause.pretty(cause)}`))
  const error = Cause.squash(cause)
  return CliError.isCliError(error) ? Effect.void : Console.error(escaped(`freehold: ${messageOf(error)}`))
}

const isWrongUsage = (error: unknown): boolean =>
  CliError.isCliError(error) && !(error._tag === "ShowHelp" && error.errors.length === 0)

/** What runs until it is stopped sets `process.exitCode` to 0: for it, being interrupted is no failure. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) && process.exitCode === 0) return onExit(0)
  if (exit._tag === "Failure" && isWrongUsage(Cause.squash(exit.cause))) return onExit(2)
  return Runtime.defaultTeardown(exit, onExit)
}

/** What is written here is kept as what a client sends is, and by the same rule. */
const plainArguments = Effect.suspend(() =>
  process.argv.slice(2).every(isPlain)
    ? Effect.void
    : Effect.fail(new CommandRefused({ reason: "an argument holds control characters" }))
)

export const main = (): void =>
  plainArguments.pipe(
    Effect.andThen(Command.run(freehold, { version })),
    Effect.tapCause(report),
    Effect.provide(surroundings),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
