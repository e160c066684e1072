/** `freehold org export` and `freehold org delete`: everything of an organization, to be taken along and to be removed. */
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { once } from "node:events"
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { CommandRefused } from "../CommandRefused.ts"
import { accounting } from "../LazyComposition.ts"
import { accountable, note } from "../Operator.ts"
import { json, print, table } from "../Output.ts"
import { isClosedPipe, whyNot } from "../WhyNot.ts"
import { wrongUsage } from "../WrongUsage.ts"
import { findOrganization } from "./OrganizationFlag.ts"
import { giveStatus } from "./OrganizationStatus.ts"

const rows = Effect.promise(() => import("@freehold/adapters-pg/diagnosis/OrganizationRowsPg"))

const id = Argument.String("org").pipe(Argument.withDescription("Id of the organization, such as org_acme"))

/** Whoever read standard output has enough. */
class ReaderGone extends Schema.TaggedError<ReaderGone>()("ReaderGone", {}) {}

/** Told before there is a database; one that comes between is refused when it is opened. */
const requireNew = Effect.fnUntraced(function*(file: Option.Option<string>) {
  if (Option.isSome(file) && existsSync(file.value)) {
    return yield* new CommandRefused({ reason: `cannot write ${file.value}: it is there already` })
  }
})

type Write<E = never> = (text: string) => Effect.Effect<void, CommandRefused | E>

const refusalOf = (file: string) => (cause: unknown) =>
  new CommandRefused({ reason: `cannot write ${file}: ${whyNot(cause)}` })

/** A file that is not there yet, safe on the disk before it counts as written. */
const toNewFile = <A, E, R>(file: string, use: (write: Write) => Effect.Effect<A, E, R>) => {
  const refused = refusalOf(file)
  return Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => Fs.open(file, "wx", 0o600), catch: refused }),
    (handle) =>
      use((text) => Effect.tryPromise({ try: () => handle.appendFile(text), catch: refused })).pipe(
        Effect.tap(() => Effect.tryPromise({ try: () => handle.sync(), catch: refused }))
      ),
    (handle) => Effect.promise(() => handle.close())
  )
}

const toStandardOutput: Write<ReaderGone> = (text) =>
  Effect.tryPromise({
    try: async () => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    },
    catch: (cause) => isClosedPipe(cause) ? new ReaderGone() : refusalOf("standard output")(cause)
  })

/** Lines, and a last one that says that nothing is missing. */
const exporting = Effect.fnUntraced(function*<E>(orgId: string, write: Write<E>) {
  const { exportRows } = yield* rows
  yield* write(`${JSON.stringify({ export: orgId, form: 1 })}\n`)
  const counts = yield* exportRows(orgId, (lines) => write(`${lines.join("\n")}\n`))
  const tables = Object.fromEntries(counts)
  yield* write(`${JSON.stringify({ end: orgId, rows: tables })}\n`)
  return tables
})

export const exportOrganization = Command.make(
  "export",
  {
    id,
    to: Flag.String("to").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("A file that is not there yet; standard output by default"),
      Flag.optional
    )
  },
  Effect.fn(function*(input) {
    yield* requireNew(input.to)
    const writing = Effect.gen(function*() {
      const { org_id: orgId } = yield* findOrganization(input.id)
      const tables = yield* Option.match(input.to, {
        onNone: () => exporting(orgId, toStandardOutput),
        onSome: (file) => toNewFile(file, (write) => exporting(orgId, write))
      })
      const total = Object.values(tables).reduce((sum, count) => sum + count, 0)
      yield* Console.error(`${total} rows of ${orgId} were written`)
    })
    yield* Effect.provide(writing, accounting)
  }, Effect.catchTag("ReaderGone", () => Effect.void))
).pipe(
  Command.withDescription(
    "Write everything of an organization as NDJSON, {table, row} a line, as it is at one moment; no secrets"
  ),
  Command.withExamples([
    { command: "freehold org export org_acme --to org_acme.ndjson", description: "Into a file of its own" },
    { command: "freehold org export org_acme | gzip > org_acme.ndjson.gz", description: "Through a pipe" }
  ])
)

const shown = (tables: Readonly<Record<string, number>>) => table(["table", "rows"], Object.entries(tables))

export const deleteOrganization = Command.make(
  "delete",
  {
    id,
    export: Flag.String("export").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Export everything into this file first, which must not be there yet"),
      Flag.optional
    ),
    noExport: Flag.Boolean("no-export").pipe(
      Flag.withDescription("Delete without an export"),
      Flag.withDefault(false)
    ),
    confirm: Flag.String("confirm").pipe(
      Flag.withMetavar("ORG"),
      Flag.withDescription("The id once more, to say that it is meant"),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Tell how many rows would be removed, and remove none"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    if (Option.isSome(input.export) === input.noExport && !input.dryRun) {
      return yield* wrongUsage("Expected exactly one of --export FILE, --no-export")
    }
    if (!input.dryRun) yield* requireNew(input.export)
    const deleting = Effect.gen(function*() {
      const { org_id: orgId } = yield* findOrganization(input.id)
      if (input.dryRun) {
        const { countRows } = yield* rows
        const tables = Object.fromEntries(yield* countRows(orgId))
        return yield* print(input.json, { org_id: orgId, dry_run: true, rows: tables }, (told) => shown(told.rows))
      }
      if (Option.getOrNull(input.confirm) !== orgId) {
        return yield* new CommandRefused({ reason: `say that it is meant: --confirm ${orgId}` })
      }
      // So that every call, session and delivery ends before anything is exported and removed.
      const closing = giveStatus(input, orgId, "closed")
      yield* Option.match(input.export, {
        onNone: () => closing,
        onSome: (file) =>
          toNewFile(
            file,
            Effect.fnUntraced(function*(write) {
              const { status } = yield* closing
              yield* Console.error(
                status === "active"
                  ? `${orgId} is closed; if its export fails, \`freehold org resume ${orgId}\` opens it again`
                  : `${orgId} is closed; it was ${status} before`
              )
              return yield* exporting(orgId, write)
            })
          )
      })
      yield* note(input, { action: "org.deleted", orgId, subject: orgId, before: null, after: null })
      const { removeRows } = yield* rows
      const tables = Object.fromEntries(yield* removeRows(orgId))
      yield* print(input.json, { org_id: orgId, dry_run: false, rows: tables }, (told) => shown(told.rows))
    })
    yield* Effect.provide(deleting, accounting)
  })
).pipe(
  Command.withDescription(
    "Delete an organization with everything that it owns, for good; export it first, or say --no-export"
  ),
  Command.withExamples([
    { command: "freehold org delete org_acme --dry-run", description: "What there is to lose" },
    {
      command: "freehold org delete org_acme --export org_acme.ndjson --confirm org_acme --reason \"contract ended\"",
      description: "Take everything along, then delete it"
    }
  ])
)
