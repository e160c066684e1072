/**
 * What the operator sets by environment variables. operator.md, "Settings".
 *
 * Read once, at the start. A variable that does not parse stops the command with one line that names it; an empty one
 * counts as not set.
 *
 * *Gotchas.* A fault never shows the value where the value may hold a secret.
 */
import type { Manner } from "@freehold/adapters-pg/database/Pools"
import { directly, sessionSettings } from "@freehold/adapters-pg/database/Pools"
import type { Hosts } from "@freehold/adapters-pg/database/ReplicaHosts"
import { type Bounds as ReplicaBounds, defaultBounds } from "@freehold/adapters-pg/database/Replicas"
import { isWellFormed } from "@freehold/core/access/ApiKey"
import { type AllBounds, bounds } from "@freehold/core/load/Workload"
import { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { defaultRetryDelays } from "@freehold/core/webhook/RetryPolicy"
import {
  Config,
  Context,
  Duration,
  Effect,
  Layer,
  type LogLevel,
  Option,
  Redacted,
  Result,
  Runtime,
  Schema
} from "effect"
import { IpNetwork } from "effect/net"
import * as Capacity from "./setting/CapacityForm.ts"

/** A setting is missing or does not parse. */
export class SettingFault extends Schema.TaggedError<SettingFault>()("SettingFault", {
  setting: Schema.String,
  expected: Schema.String,
  found: Schema.NullOr(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `${this.setting} must be ${this.expected}${this.found === null ? "" : `, not ${JSON.stringify(this.found)}`}`
  }
}

export class Settings extends Context.Service<Settings, {
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  readonly databaseReplicaUrl: Option.Option<Hosts>
  readonly replicaBounds: ReplicaBounds
  /** How connections are made, and how many. */
  readonly databaseManner: Manner
  /** Processes of one server. */
  readonly workers: number
  /** What runs at once in one process. */
  readonly places: AllBounds
  readonly dataDirectory: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Origin, without a slash at the end. None: that of the server itself. */
  readonly publicUrl: Option.Option<string>
  /** Where each property has a page, `<app URL>/properties/<id>`. None: in the app of this server, if it is on. */
  readonly appUrl: Option.Option<string>
  /** The app that people sign in to is served at the root of the origin. */
  readonly console: boolean
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  readonly webhookTargets: TargetPolicy
  readonly webhookRetryDelays: ReadonlyArray<Duration.Duration>
  readonly webhookTimeout: Duration.Duration
  readonly feedDelay: Duration.Duration
  /** 32 bytes. */
  readonly encryptionKey: Option.Option<Redacted.Redacted<Uint8Array>>
  /** None: the public URL's. */
  readonly allowedOrigins: Option.Option<ReadonlyArray<string>>
  /** The operator's own system that researches. None: what was imported answers. */
  readonly researcher: Option.Option<{ readonly url: string; readonly secret: Redacted.Redacted }>
  /** How long its answer may take. */
  readonly researchTimeout: Duration.Duration
  /** The language model that writes drafts. None: templates do. */
  readonly drafter: Option.Option<
    { readonly url: string; readonly model: string; readonly key: Option.Option<Redacted.Redacted> }
  >
  readonly drafterTimeout: Duration.Duration
  /** The authorization server of people. None: they cannot sign in. */
  readonly oauthIssuer: Option.Option<string>
  /** The organization key of a local assistant. */
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly logLevel: LogLevel.LogLevel
  readonly telemetryUrl: Option.Option<string>
}>()("@freehold/cli/Settings") {
  static readonly layer = Layer.effect(Settings, Effect.suspend(() => read))
}

interface Form<A> {
  /** Completes "must be". */
  readonly expected: string
  readonly parse: (text: string) => Option.Option<A>
  readonly secret?: boolean
}

/** The setting's value; none when it is not set. */
const optional = <A>(setting: string, form: Form<A>): Effect.Effect<Option.Option<A>, SettingFault> =>
  Effect.gen(function*() {
    const text = yield* Effect.orDie(Config.option(Config.String(setting)))
    if (Option.isNone(text)) return Option.none()
    const value = form.parse(text.value.trim())
    if (Option.isSome(value)) return value
    const found = form.secret === true ? null : text.value
    return yield* new SettingFault({ setting, expected: form.expected, found })
  })

const withDefault = <A>(setting: string, form: Form<A>, standard: A): Effect.Effect<A, SettingFault> =>
  Effect.map(optional(setting, form), Option.getOrElse(() => standard))

const matching = <A>(test: (text: string) => A | undefined) => (text: string) => Option.fromUndefinedOr(test(text))

const text: Form<string> = {
  expected: "set to something",
  parse: matching((value) => value === "" ? undefined : value)
}

const port: Form<number> = {
  expected: "a port number from 0 to 65535",
  parse: matching((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined)
}

const webUrl = (value: string): URL | undefined => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

const isBare = (url: URL): boolean =>
  url.pathname === "/" && url.search === "" && url.hash === "" && url.username === ""

const originOf = (value: string): string | undefined => {
  const url = webUrl(value)
  return url !== undefined && isBare(url) ? url.origin : undefined
}

const origin: Form<string> = {
  expected: "an origin such as https://api.example.com, without a path",
  parse: matching(originOf)
}

const webAddress: Form<string> = {
  expected: "an http or https URL without query and fragment",
  parse: matching((value) => {
    const url = webUrl(value)
    return url !== undefined && url.search === "" && url.hash === "" && url.username === ""
      ? value.replace(/\/+$/, "")
      : undefined
  })
}

const onOrOff: Form<boolean> = {
  expected: "on or off",
  parse: matching((value) => value === "on" ? true : value === "off" ? false : undefined)
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Kept to the letter: the issuer of a token is compared with it. */
const issuer: Form<string> = {
  expected: "the issuer's https URL without query and fragment (http on this machine alone)",
  parse: matching((value) => {
    const url = webUrl(value)
    const usable = url !== undefined && url.search === "" && url.hash === "" && url.username === ""
      && (url.protocol === "https:" || loopbackNames.has(url.hostname))
    return usable ? value : undefined
  })
}

const commaSeparated = <A>(expected: string, each: (text: string) => Option.Option<A>): Form<ReadonlyArray<A>> => ({
  expected,
  parse: (value) => Option.all(value.split(",").map((part) => each(part.trim())))
})

const durationOf = (value: string): Option.Option<Duration.Duration> =>
  // What a person writes has a unit; `fromInput` reads more than that.
  /^\d+(\.\d+)? [a-z]+$/.test(value)
    ? Option.filter(Schema.decodeUnknownOption(Schema.DurationFromString)(value), Duration.isFinite)
    : Option.none()

const duration: Form<Duration.Duration> = { expected: "a duration such as 10 seconds", parse: durationOf }

const postgresUrl: Form<Redacted.Redacted> = {
  expected: "a postgres:// URL",
  secret: true,
  parse: matching((value) =>
    /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? "") ? Redacted.make(value) : undefined
  )
}

const encryptionKeyLength = 32

/** What is expected of the key that encrypts webhook secrets. */
export const encryptionKeyForm = `${encryptionKeyLength} bytes in base64, as \`openssl rand -base64 32\` prints`

const encryptionKey: Form<Redacted.Redacted<Uint8Array>> = {
  expected: encryptionKeyForm,
  secret: true,
  parse: matching((value) => {
    const bytes = Buffer.from(value, "base64")
    return /^[A-Za-z0-9+/]{43}=$/.test(value) && bytes.length === encryptionKeyLength
      ? Redacted.make(new Uint8Array(bytes))
      : undefined
  })
}

/** What is expected of an organization's key. */
export const apiKeyForm = "an organization key: fhk_ and 43 characters"

const apiKey: Form<Redacted.Redacted> = {
  expected: apiKeyForm,
  secret: true,
  parse: matching((value) => isWellFormed(value) ? Redacted.make(value) : undefined)
}

const secretText: Form<Redacted.Redacted> = {
  expected: "set to something",
  secret: true,
  parse: matching((value) => value === "" ? undefined : Redacted.make(value))
}

/** Short ones are guessed. */
const shortestSecret = 32

const sharedSecret: Form<Redacted.Redacted> = {
  expected: `at least ${shortestSecret} characters, such as \`openssl rand -base64 32\` prints`,
  secret: true,
  parse: matching((value) => value.length >= shortestSecret ? Redacted.make(value) : undefined)
}

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const satisfies Record<string, LogLevel.LogLevel>

const isLevel = (value: string): value is keyof typeof levels => Object.hasOwn(levels, value)

const logLevel: Form<LogLevel.LogLevel> = {
  expected: `one of ${Object.keys(levels).join(", ")}`,
  parse: matching((value) => {
    const level = value.toLowerCase()
    return isLevel(level) ? levels[level] : undefined
  })
}

/** What belongs together: neither is of use without the other. */
const researcher = Effect.gen(function*() {
  const url = yield* optional("FREEHOLD_RESEARCHER_URL", webAddress)
  const secret = yield* optional("FREEHOLD_RESEARCHER_SECRET", sharedSecret)
  if (Option.isSome(url) === Option.isSome(secret)) return Option.all({ url, secret })
  const [setting, other] = Option.isSome(url)
    ? ["FREEHOLD_RESEARCHER_SECRET", "FREEHOLD_RESEARCHER_URL"]
    : ["FREEHOLD_RESEARCHER_URL", "FREEHOLD_RESEARCHER_SECRET"]
  return yield* new SettingFault({ setting, expected: `set when ${other} is`, found: null })
})

const drafter = Effect.gen(function*() {
  const url = yield* optional("FREEHOLD_DRAFTER_URL", webAddress)
  const model = yield* optional("FREEHOLD_DRAFTER_MODEL", text)
  const key = yield* optional("FREEHOLD_DRAFTER_KEY", secretText)
  if (Option.isSome(url) === Option.isSome(model)) {
    return Option.map(Option.all({ url, model }), (both) => ({ ...both, key }))
  }
  const [setting, other] = Option.isSome(url)
    ? ["FREEHOLD_DRAFTER_MODEL", "FREEHOLD_DRAFTER_URL"]
    : ["FREEHOLD_DRAFTER_URL", "FREEHOLD_DRAFTER_MODEL"]
  return yield* new SettingFault({ setting, expected: `set when ${other} is`, found: null })
})

const read = Effect.gen(function*() {
  return Settings.of({
    databaseUrl: yield* optional("DATABASE_URL", postgresUrl),
    databaseReplicaUrl: yield* optional("DATABASE_REPLICA_URL", Capacity.replicas),
    replicaBounds: {
      maxLag: yield* withDefault("FREEHOLD_REPLICA_MAX_LAG", duration, defaultBounds.maxLag),
      patience: yield* withDefault("FREEHOLD_REPLICA_PATIENCE", duration, defaultBounds.patience)
    },
    databaseManner: {
      sizes: yield* withDefault("FREEHOLD_DATABASE_POOLS", Capacity.poolSizes, directly.sizes),
      prepare: yield* withDefault("FREEHOLD_DATABASE_PREPARE", Capacity.choice, directly.prepare),
      startup: yield* withDefault("FREEHOLD_DATABASE_STARTUP", Capacity.startup, sessionSettings)
    },
    workers: yield* withDefault("FREEHOLD_WORKERS", Capacity.processes, 1),
    places: yield* withDefault("FREEHOLD_PLACES", Capacity.places, bounds),
    dataDirectory: yield* withDefault("FREEHOLD_DATA_DIR", text, ".freehold"),
    host: yield* withDefault("HOST", text, "127.0.0.1"),
    port: yield* withDefault("PORT", port, 8080),
    publicUrl: yield* optional("FREEHOLD_PUBLIC_URL", origin),
    appUrl: yield* optional("FREEHOLD_APP_URL", webAddress),
    console: yield* withDefault("FREEHOLD_CONSOLE", onOrOff, true),
    trustedProxies: yield* withDefault(
      "FREEHOLD_TRUSTED_PROXIES",
      commaSeparated(
        "CIDRs such as 10.0.0.0/8, separated by commas",
        (value) => Result.getSuccess(IpNetwork.fromString(value))
      ),
      []
    ),
    webhookTargets: yield* withDefault("FREEHOLD_WEBHOOK_TARGETS", {
      expected: `one of ${TargetPolicy.literals.join(", ")}`,
      parse: Schema.decodeUnknownOption(TargetPolicy)
    }, "public"),
    webhookRetryDelays: yield* withDefault(
      "FREEHOLD_WEBHOOK_RETRY_DELAYS",
      commaSeparated("durations such as 30 seconds, separated by commas", durationOf),
      defaultRetryDelays
    ),
    webhookTimeout: yield* withDefault("FREEHOLD_WEBHOOK_TIMEOUT", duration, Duration.seconds(10)),
    feedDelay: yield* withDefault("FREEHOLD_FEED_DELAY", duration, Duration.seconds(10)),
    encryptionKey: yield* optional("FREEHOLD_ENCRYPTION_KEY", encryptionKey),
    allowedOrigins: yield* optional(
      "FREEHOLD_ALLOWED_ORIGINS",
      commaSeparated("origins such as https://app.example.com, separated by commas", matching(originOf))
    ),
    researcher: yield* researcher,
    drafter: yield* drafter,
    drafterTimeout: yield* withDefault("FREEHOLD_DRAFTER_TIMEOUT", duration, Duration.seconds(30)),
    researchTimeout: yield* withDefault("FREEHOLD_RESEARCHER_TIMEOUT", duration, Duration.hours(1)),
    oauthIssuer: yield* optional("OAUTH_ISSUER", issuer),
    apiKey: yield* optional("FREEHOLD_API_KEY", apiKey),
    logLevel: yield* withDefault("LOG_LEVEL", logLevel, "Info"),
    telemetryUrl: yield* optional("OTEL_EXPORTER_OTLP_ENDPOINT", webAddress)
  })
})
