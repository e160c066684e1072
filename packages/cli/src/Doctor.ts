/**
 * Examines an installation: settings, data directory, database, connections, tuning, replicas, cells, storage, schema, clock,
 * encryption key, worker, keys that expire, history, monthly grants, ledger, and the authorization server if there is one.
 *
 * Every check says what it found, and goes on where another found a fault; what cannot be looked at without the faulty part
 * is skipped. Nothing that lasts is made or changed: an embedded database that does not exist yet is not made, nor is a key.
 */
import * as DiagnosisPg from "@freehold/adapters-pg/diagnosis/DiagnosisPg"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import * as KeyProofPg from "@freehold/adapters-pg/webhook/KeyProofPg"
import * as ResealPg from "@freehold/adapters-pg/webhook/ResealPg"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import { Allotments } from "@freehold/core/credit/Allotments"
import { Auditor } from "@freehold/core/credit/Auditor"
import * as MonthlyGrant from "@freehold/core/credit/MonthlyGrant"
import { monthStart } from "@freehold/core/operation/UtcTime"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Clock, ConfigProvider, Context, Effect, Layer, Option, Result } from "effect"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { diagnosis } from "./Composition.ts"
import { faultOf } from "./DatabaseFault.ts"
import { shortcomingOf } from "./DatabaseSchema.ts"
import { connections, replicas } from "./DoctorCapacity.ts"
import { cells } from "./DoctorCells.ts"
import { signIn } from "./DoctorSignIn.ts"
import { tuning } from "./DoctorTuning.ts"
import { earlierKeys, EncryptionKey, fileName as keyFileName } from "./EncryptionKey.ts"
import type { SettingFault } from "./setting/Setting.ts"
import { Settings } from "./Settings.ts"

export interface Finding {
  readonly check:
    | "settings"
    | "data directory"
    | "database"
    | "connections"
    | "tuning"
    | "replica"
    | "cell"
    | "storage"
    | "schema"
    | "clock"
    | "encryption key"
    | "worker"
    | "keys"
    | "history"
    | "monthly grants"
    | "ledger"
    | "sign-in"
  /** `advice`: it works, and would work better otherwise. */
  readonly outcome: "ok" | "advice" | "fault" | "skipped"
  readonly detail: string
}

type Check = Finding["check"]

const oldestServer = 15

/** Everything that is counted goes by the database's clock; logs, and the expiry of people's tokens, by this machine's. */
const skewLimitMillis = 5000

/** A worker looks for work each second. */
const lagLimitMillis = 60_000

const ok = (check: Check, detail: string): Finding => ({ check, outcome: "ok", detail })
const fault = (check: Check, detail: string): Finding => ({ check, outcome: "fault", detail })
const skipped = (checks: ReadonlyArray<Check>, because: Check): ReadonlyArray<Finding> =>
  checks.map((check) => ({ check, outcome: "skipped", detail: `not checked because of the ${because}` }))

/** Below this an embedded database has little room left: its write-ahead log alone may grow by gigabytes. */
const leastFreeBytes = 1e9

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`

const readSettings = Effect.scoped(Effect.result(Layer.build(Layer.fresh(Settings.layer))))

/** Every faulty setting: the first is left out to see whether there is another. */
const settingFaults: Effect.Effect<ReadonlyArray<SettingFault>> = Effect.gen(function*() {
  const given = yield* ConfigProvider.ConfigProvider
  const faults: Array<SettingFault> = []
  let found = yield* readSettings
  while (Result.isFailure(found)) {
    const { setting } = found.failure
    // One that is missing beside another is missing still when it is left out.
    if (faults.some((fault) => fault.setting === setting)) break
    faults.push(found.failure)
    const told = new Set(faults.map(({ setting }) => setting))
    const rest = ConfigProvider.make((path) => told.has(path.join(".")) ? Effect.succeed(undefined) : given.load(path))
    found = yield* Effect.provideService(readSettings, ConfigProvider.ConfigProvider, rest)
  }
  return faults
})

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** What an embedded database may still take of the disk that it lies on. */
export const freeSpace = (directory: string, { bavail, bsize }: { readonly bavail: number; readonly bsize: number }) =>
  bavail * bsize < leastFreeBytes
    ? fault(
      "data directory",
      `${directory} is on a disk with ${gigabytes(bavail * bsize)} free; without room the database stops`
    )
    : ok("data directory", `${directory}, ${gigabytes(bavail * bsize)} free`)

const stat = (file: string) => Effect.option(Effect.tryPromise(() => Fs.stat(file)))

/** Readable by others than the owner. */
const isOpen = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0

const dataDirectory = Effect.gen(function*() {
  const check = "data directory"
  const { dataDirectory: name, databaseUrl } = yield* Settings
  const directory = Path.resolve(name)
  const found = yield* stat(directory)
  if (Option.isNone(found)) {
    return Option.isSome(databaseUrl)
      ? ok(check, `${directory} does not exist and is not needed`)
      : fault(check, `${directory} does not exist; it is made with the database, by: freehold migrate`)
  }
  const usable = yield* Effect.result(
    Effect.tryPromise(() => Fs.access(directory, Fs.constants.R_OK | Fs.constants.W_OK))
  )
  if (!found.value.isDirectory() || Result.isFailure(usable)) {
    return fault(check, `${directory} is not a directory that this user can read and write`)
  }
  const secrets = [keyFileName, "demo-key", Path.join("postgres", "password")]
  const open = yield* Effect.filter(
    secrets,
    (file) => Effect.map(stat(Path.join(directory, file)), (stats) => Option.isSome(stats) && isOpen(stats.value))
  )
  if (open.length > 0) {
    return fault(check, `others can read ${open.map((file) => Path.join(directory, file)).join(", ")}; run: chmod 600`)
  }
  return Option.isSome(databaseUrl)
    ? ok(check, directory)
    : freeSpace(directory, yield* Effect.promise(() => Fs.statfs(directory)))
})

const lacking = ({ count, first, makes, role }: DiagnosisPg.Lacks): Finding =>
  makes && first === null
    ? ok("storage", "the database can write")
    : fault(
      "storage",
      `the role ${role} may ${first === null ? "make no tables" : `not write to ${count} tables, such as ${first}`}; `
        + "connect as the owner of the database"
    )

const storage = Effect.match(Effect.andThen(DiagnosisPg.write, DiagnosisPg.lacks), {
  onFailure: (error) => fault("storage", `the database cannot write: ${faultOf(error).detail}`),
  onSuccess: lacking
})

const clock = Effect.gen(function*() {
  const before = yield* Clock.currentTimeMillis
  const { now } = yield* DiagnosisPg.server
  const after = yield* Clock.currentTimeMillis
  // The answer was made at some moment between the two.
  const ahead = before > now ? before - now : Math.min(0, after - now)
  return Math.abs(ahead) > skewLimitMillis
    ? fault("clock", `this machine is ${seconds(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the database`)
    : ok("clock", `within ${seconds(skewLimitMillis)} of the database's`)
}).pipe(
  // The machine's own, whatever clock is provided: that of a server goes by the database's time.
  Effect.provideService(Clock.Clock, Context.get(Context.empty(), Clock.Clock))
)

const encryptionKey = Effect.gen(function*() {
  const check = "encryption key"
  const { dataDirectory, databaseUrl, encryptionKey } = yield* Settings
  const isMade = Option.isNone(databaseUrl) && Option.isNone(encryptionKey)
  const file = Path.resolve(dataDirectory, keyFileName)
  if (isMade && Option.isNone(yield* stat(file))) {
    return (yield* KeyProofPg.isNeeded)
      ? fault(check, `${file} is missing, and the stored secrets cannot be opened without it`)
      : ok(check, `not made yet; ${file} is made when a server starts`)
  }
  const earlier = yield* earlierKeys
  const sealer = Layer.unwrap(Effect.map(EncryptionKey, (key) => SealerNode.layer(key, earlier))).pipe(
    Layer.provide(EncryptionKey.layer)
  )
  const looking = Effect.all({
    standing: KeyProofPg.standing,
    secrets: DiagnosisPg.openSecrets,
    left: earlier.length === 0 ? Effect.succeed(0) : Effect.map(ResealPg.standing, (found) => found.earlier)
  })
  const { left, secrets: { closed, tried }, standing } = yield* Effect.provide(looking, sealer)
  if (standing === "another") return fault(check, new KeyProofPg.KeyIsAnother().message)
  if (closed.length > 0) {
    return fault(
      check,
      `${closed.length} of ${tried} signing secrets do not open with it: endpoint ${closed.join(", ")}`
    )
  }
  if (earlier.length > 0) {
    return ok(
      check,
      left === 0
        ? "takes the place of FREEHOLD_ENCRYPTION_KEY_PREVIOUS, with which nothing is sealed any more"
        : `takes the place of FREEHOLD_ENCRYPTION_KEY_PREVIOUS, with which ${left} secrets are still sealed`
    )
  }
  return ok(check, tried === 0 ? "set; no secret is stored yet" : `opens the stored secrets (${tried} tried)`)
}).pipe(
  Effect.catchTags({
    SettingFault: ({ message }) => Effect.succeed(fault("encryption key", message)),
    DataDirectoryFault: ({ message }) => Effect.succeed(fault("encryption key", message)),
    WrongKeyLength: ({ message }) => Effect.succeed(fault("encryption key", message))
  })
)

const worker = Effect.gen(function*() {
  const { dueDelivery, dueResearch, pendingEvent } = yield* DiagnosisPg.lag
  const late = [
    ...dueDelivery === null ? [] : [{ what: "delivery", millis: dueDelivery }],
    ...pendingEvent === null ? [] : [{ what: "event", millis: pendingEvent }],
    ...dueResearch === null ? [] : [{ what: "research", millis: dueResearch }]
  ]
  if (late.length === 0) return ok("worker", "nothing is overdue")
  const detail = late.map(({ millis, what }) => `the oldest due ${what} waits for ${seconds(millis)}`).join(", ")
  return late.some(({ millis }) => millis > lagLimitMillis)
    ? fault("worker", `${detail}; is a worker running?`)
    : ok("worker", detail)
})

/** So many ids are enough to know whom a sentence is about. */
const named = (orgIds: ReadonlyArray<string>): string =>
  orgIds.length > 5 ? `${orgIds.slice(0, 5).join(", ")} and ${orgIds.length - 5} more` : orgIds.join(", ")

/** Keys that expire within so many days are told of, so that nobody is surprised. */
const warnedDays = 14

const keys = Effect.gen(function*() {
  const expiring = yield* DiagnosisPg.keysExpiring(warnedDays)
  const told = expiring.slice(0, 5).map(({ at, label, orgId }) => `${label} of ${orgId} on ${at.slice(0, 10)}`)
  const more = expiring.length > told.length ? ` and ${expiring.length - told.length} more` : ""
  return ok(
    "keys",
    told.length === 0
      ? `none expires within ${warnedDays} days`
      : `${told.join(", ")}${more} will expire; make new ones, or: freehold key expire`
  )
})

const history = Effect.map(DiagnosisPg.daysAhead, (days) =>
  days < 2
    ? fault(
      "history",
      "no day of deliveries is made ahead, so nothing is removed either; is a server or a worker running?"
    )
    : ok("history", `days of deliveries are made ${days} ahead`))

const monthlyGrants = Effect.gen(function*() {
  const check = "monthly grants"
  const now = yield* Clock.currentTimeMillis
  const due = yield* Allotments.use((allotments) =>
    allotments.due({ ref: MonthlyGrant.referenceOf(now), after: null, limit: 1000 })
  )
  // Whoever looks, looks each minute.
  if (due.length > 0 && now - monthStart(now) > lagLimitMillis) {
    return fault(check, `this month's is not granted to ${named(due)}; is a server or a worker running?`)
  }
  const organizations = yield* Organizations.use(({ list }) => list)
  const granted = organizations.filter(MonthlyGrant.isGranted).length
  const silent = organizations.filter(MonthlyGrant.grantsNothing).map(({ org_id }) => org_id)
  return ok(
    check,
    silent.length === 0
      ? `${granted} organizations have one`
      : `${granted} organizations have one; the monthly_credit_allotment of ${named(silent)} grants no credits `
        + `without "monthly_grant": true`
  )
})

const ledger = Effect.gen(function*() {
  const laws = yield* Auditor.use(({ audit }) => audit)
  const broken = laws.filter(({ count }) => count > 0)
  return broken.length === 0
    ? [ok("ledger", `every balance follows from its entries, and ${laws.length} laws hold`)]
    : broken.map(({ count, law, title }) =>
      fault("ledger", `${law} is broken ${count} times: ${title}; see: freehold audit`)
    )
})

const examineSchema = Migrations.standing.pipe(
  Effect.map((standing) => {
    const shortcoming = shortcomingOf(standing)
    return shortcoming === null
      ? ok("schema", standing === "current" ? "up to date" : "that of a later version, which this one works with")
      : fault("schema", shortcoming)
  }),
  Effect.catchTags({
    SchemaIsNewer: ({ message }) => Effect.succeed(fault("schema", message)),
    SchemaIsForeign: ({ message }) => Effect.succeed(fault("schema", message))
  })
)

const afterSchema: ReadonlyArray<Check> = ["encryption key", "worker", "keys", "history", "monthly grants", "ledger"]

const serverFinding = ({ folds, majorVersion, version }: DiagnosisPg.Server): Finding => {
  if (majorVersion < oldestServer) {
    return fault("database", `PostgreSQL ${version} is too old; expected ${oldestServer} or newer`)
  }
  return folds
    ? ok("database", `PostgreSQL ${version}`)
    : fault(
      "database",
      "its locale knows no letters beyond A to Z, so searches miss names that have them; "
        + "make it anew: CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
    )
}

/** `laws`: those of the ledger are looked at too, over the whole database. */
const database = Effect.fnUntraced(function*(laws: boolean) {
  const server = serverFinding(yield* DiagnosisPg.server)
  const schema = yield* examineSchema
  if (schema.outcome !== "ok") {
    return [
      server,
      yield* connections,
      ...yield* tuning,
      yield* storage,
      schema,
      yield* clock,
      ...skipped(afterSchema, "schema")
    ]
  }
  return [
    server,
    yield* connections,
    ...yield* tuning,
    ...yield* replicas,
    ...yield* cells,
    yield* storage,
    schema,
    yield* clock,
    yield* encryptionKey,
    yield* worker,
    yield* keys,
    yield* history,
    yield* monthlyGrants,
    ...laws ? yield* ledger : []
  ]
}, Effect.catchTag("SqlError", (error) => Effect.fail(faultOf(error))))

/** The embedded database was never made. */
const noDatabaseYet = Effect.gen(function*() {
  const { dataDirectory, databaseUrl } = yield* Settings
  return Option.isNone(databaseUrl) && Option.isNone(yield* stat(Path.resolve(dataDirectory, "postgres")))
})

const withoutDatabase = (detail: string): ReadonlyArray<Finding> => [
  fault("database", detail),
  ...skipped(["connections", "tuning", "storage", "schema", "clock", ...afterSchema], "database")
]

const examineDatabase = (laws: boolean) =>
  Effect.provide(database(laws), diagnosis).pipe(
    Effect.catchTags({
      DatabaseFault: ({ message }) => Effect.succeed(withoutDatabase(message)),
      DataDirectoryFault: ({ message }) => Effect.succeed(withoutDatabase(message)),
      EmbeddedPostgresFailed: ({ message }) => Effect.succeed(withoutDatabase(message)),
      TEMPORARILY_UNAVAILABLE: ({ message }) => Effect.succeed(withoutDatabase(message))
    })
  )

/** In the order of the checks. Without `laws`, everything but what reads the whole database. */
export const examine = Effect.fnUntraced(function*(
  { laws }: { readonly laws: boolean }
): Effect.fn.Return<ReadonlyArray<Finding>, SettingFault> {
  const faults = yield* settingFaults
  if (faults.length > 0) {
    return [
      ...faults.map(({ message }) => fault("settings", message)),
      ...skipped(
        ["data directory", "database", "connections", "tuning", "storage", "schema", "clock", ...afterSchema],
        "settings"
      )
    ]
  }
  const settings = ok("settings", "all parse")
  const directory = yield* Effect.provide(dataDirectory, Settings.layer)
  const isMissing = yield* Effect.provide(noDatabaseYet, Settings.layer)
  const rest = isMissing
    ? withoutDatabase("there is none yet; make it with: freehold migrate")
    : yield* examineDatabase(laws)
  return [settings, directory, ...rest, ...yield* Effect.provide(signIn, Settings.layer)]
})
