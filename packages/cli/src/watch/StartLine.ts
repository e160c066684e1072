/** The one line of the log that tells what was started: which version, on which database, where, and what is switched on. */
import { Effect, Option, Redacted } from "effect"
import { Settings } from "../Settings.ts"
import { version } from "../Version.ts"

/** Host, port and name of a database; never its user or password. */
const databaseAt = (url: Redacted.Redacted): string => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `${host}${pathname}`
}

const given = <A>(value: Option.Option<A>, show: (value: A) => string): Readonly<Option.Option<string>> =>
  Option.map(value, show)

/** Fields of what is set; what is not is left out. */
const present = (fields: Readonly<Record<string, Option.Option<string>>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => Option.isSome(value) ? [[name, value.value]] : [])
  )

/** `started`: what runs, such as `server`; `own` is what only its caller knows. */
export const tell = (started: "server" | "worker", own: Readonly<Record<string, unknown>>) =>
  Effect.gen(function*() {
    const settings = yield* Settings
    yield* Effect.logInfo(`${started} started`).pipe(Effect.annotateLogs({
      version,
      node: process.version,
      pid: process.pid,
      database: Option.getOrElse(given(settings.databaseUrl, databaseAt), () => "embedded"),
      ...own,
      ...present({
        replica: given(settings.databaseReplicaUrl, databaseAt),
        public_url: settings.publicUrl,
        sign_in: settings.oauthIssuer,
        researcher: given(settings.researcher, ({ url }) => url),
        drafter: given(settings.drafter, ({ url }) => url),
        telemetry: settings.telemetryUrl
      }),
      access_log: settings.accessLog,
      webhook_targets: settings.webhookTargets
    }))
  })
