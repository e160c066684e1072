/** The one line of the log that tells what was started: which version, on which database, where, and what is switched on. */
import { Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "../Settings.ts"
import { version } from "../Version.ts"
import { Readiness } from "./Readiness.ts"

/** Host, port and name of a database; never its user or password. */
const databaseAt = (url: Redacted.Redacted): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `${host}${pathname}`
}

/** Fields of what is set; what is not is left out. */
const present = (fields: Readonly<Record<string, Option.Option<string>>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => Option.isSome(value) ? [[name, value.value]] : [])
  )

/** `own` is what only its caller knows. */
export const tell = (started: "server" | "worker", own: Readonly<Record<string, unknown>>) =>
  Effect.gen(function*() {
    const settings = yield* Settings
    yield* Effect.logInfo(`${started} started`).pipe(Effect.annotateLogs({
      version,
      node: process.version,
      pid: process.pid,
      database: Option.getOrElse(Option.map(settings.databaseUrl, databaseAt), () => "embedded"),
      ...own,
      ...present({
        replica: Option.map(settings.databaseReplicaUrl, (hosts) => hosts.map(({ name }) => name).join(",")),
        public_url: settings.publicUrl,
        sign_in: settings.oauthIssuer,
        researcher: Option.map(settings.researcher, ({ url }) => url),
        drafter: Option.map(settings.drafter, ({ url }) => url),
        telemetry: settings.telemetryUrl
      }),
      access_log: settings.accessLog,
      webhook_targets: settings.webhookTargets
    }))
  })

/** Tells that a worker runs, and once it is being stopped that it is not ready any more. */
export const worker = Layer.effectDiscard(Effect.gen(function*() {
  const { drain } = yield* Readiness
  yield* Effect.addFinalizer(() => drain)
  yield* tell("worker", {})
}))
