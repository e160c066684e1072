/** The forms that the text of a setting may have, each with its value. */
import { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { mostRetries } from "@freehold/core/webhook/RetryPolicy"
import { Duration, type LogLevel, Option, Redacted, Result, Schema } from "effect"
import { IpNetwork } from "effect/net"

export interface SettingForm<A> {
  /** Completes "must be". */
  readonly expected: string
  readonly parse: (text: string) => Option.Option<A>
  /** The text is shown nowhere, not even when it is wrong. */
  readonly secret?: boolean
  /** What may be shown of a secret text that parses. */
  readonly disclosed?: (text: string) => string
}

/** A form whose text is tested by a function. */
export const matching = <A>(test: (text: string) => A | undefined) => (text: string) =>
  Option.fromUndefinedOr(test(text))

export const text: SettingForm<string> = {
  expected: "set to something",
  parse: matching((value) => value === "" ? undefined : value)
}

export const port: SettingForm<number> = {
  expected: "a port number from 0 to 65535",
  parse: matching((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined)
}

/** An address to listen on: a host, or an IPv6 address in brackets, and a port. */
export const listenAddress: SettingForm<{ readonly host: string; readonly port: number }> = {
  expected: "a host and a port such as 127.0.0.1:9464 or [::1]:9464",
  parse: (value) => {
    const [, bracketed, plain, digits = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(value) ?? []
    const host = bracketed ?? plain
    return host === undefined ? Option.none() : Option.map(port.parse(digits), (port) => ({ host, port }))
  }
}

const webUrl = (value: string): URL | undefined => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** A part of a URL as it is meant; undefined: a % in it begins nothing. */
export const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** No query, no fragment, and nobody's password. */
const isPlain = ({ hash, password, search, username }: URL): boolean =>
  search === "" && hash === "" && username === "" && password === ""

const originOf = (value: string): string | undefined => {
  const url = webUrl(value)
  return url !== undefined && url.pathname === "/" && isPlain(url) ? url.origin : undefined
}

export const origin: SettingForm<string> = {
  expected: "an origin such as https://api.example.com, without a path",
  parse: matching(originOf)
}

export const webAddress: SettingForm<string> = {
  expected: "an http or https URL without query and fragment",
  parse: matching((value) => {
    const url = webUrl(value)
    return url !== undefined && isPlain(url) ? value.replace(/\/+$/, "") : undefined
  })
}

export const onOrOff: SettingForm<boolean> = {
  expected: "on or off",
  parse: matching((value) => value === "on" ? true : value === "off" ? false : undefined)
}

/** What is on at the public origin, off, or on at another origin alone. */
export const switchOrOrigin: SettingForm<string> = {
  expected: "on, off, or an origin such as https://operator.example.com, without a path",
  parse: matching((value) => value === "on" || value === "off" ? value : originOf(value))
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Kept to the letter: the issuer of a token is compared with it. */
export const issuer: SettingForm<string> = {
  expected: "the issuer's https URL without query and fragment (http on this machine alone)",
  parse: matching((value) => {
    const url = webUrl(value)
    if (url === undefined || !isPlain(url)) return undefined
    return url.protocol === "https:" || loopbackNames.has(url.hostname) ? value : undefined
  })
}

const commaSeparated = <A>(
  expected: string,
  each: (text: string) => Option.Option<A>
): SettingForm<ReadonlyArray<A>> => ({
  expected,
  parse: (value) => Option.all(value.split(",").map((part) => each(part.trim())))
})

export const origins = commaSeparated(
  "origins such as https://app.example.com, separated by commas",
  matching(originOf)
)

export const networks = commaSeparated(
  "CIDRs such as 10.0.0.0/8, separated by commas",
  (value) => Result.getSuccess(IpNetwork.fromString(value))
)

/** The calendar of PostgreSQL ends somewhere, in both directions. */
const longest = Duration.days(36_500)

const durationOf = (value: string): Option.Option<Duration.Duration> =>
  // What a person writes has a unit; `fromInput` reads more than that.
  /^\d+(\.\d+)? [a-z]+$/.test(value)
    ? Option.filter(
      Schema.decodeUnknownOption(Schema.DurationFromString)(value),
      (given) => Duration.isLessThanOrEqualTo(given, longest)
    )
    : Option.none()

export const duration: SettingForm<Duration.Duration> = {
  expected: `a duration of at most ${Duration.toDays(longest)} days, such as 10 seconds`,
  parse: durationOf
}

/** Nobody answers sooner. */
const shortestTimeout = Duration.millis(100)

const timeoutUpTo = (most: Duration.Duration): SettingForm<Duration.Duration> => ({
  expected: `a duration from ${Duration.toMillis(shortestTimeout)} milliseconds to ${Duration.toDays(most)} days, `
    + "such as 10 seconds",
  parse: (value) =>
    Option.filter(durationOf(value), (given) => Duration.between(given, { minimum: shortestTimeout, maximum: most }))
})

/** Kept by a timer of the process, which knows no longer ones. */
export const timeout = timeoutUpTo(Duration.days(24))

/** Kept by the database. */
export const storedTimeout = timeoutUpTo(longest)

const durations = commaSeparated(
  `at most ${mostRetries} durations such as 30 seconds, each of at most ${
    Duration.toDays(longest)
  } days, separated by commas`,
  durationOf
)

export const retryDelays: SettingForm<ReadonlyArray<Duration.Duration>> = {
  ...durations,
  parse: (value) => Option.filter(durations.parse(value), (delays) => delays.length <= mostRetries)
}

const oneOf = <const A extends string>(words: ReadonlyArray<A>): SettingForm<A> => ({
  expected: `one of ${words.join(", ")}`,
  parse: (value) => Option.fromUndefinedOr(words.find((word) => word === value))
})

export const targetPolicy = oneOf(TargetPolicy.literals)

/** Who finds out what research asks for. */
export const researcher = oneOf(["imported", "remote", "finder"])

/** What is shown instead of a secret. */
export const hidden = "(hidden)"

/** Said of the addresses of databases. */
export const escaped = "where / # ? % of a password are written as %2F %23 %3F %25"

/** Whether an address of PostgreSQL is one as it is meant: `/`, `#` and `%` of a password make other parts of it, or none. */
export const isWholePostgresUrl = ({ hash, hostname, password, pathname, username }: URL): boolean =>
  // Of the beginning of a password with / or # in it a port was made.
  hash === "" && !pathname.includes("@") &&
  [hostname, username, password, pathname].every((part) => decoded(part) !== undefined)

export const postgresUrl: SettingForm<Redacted.Redacted> = {
  expected: `a postgres:// URL with one host, such as postgres://user:password@localhost:5432/freehold, ${escaped}`,
  secret: true,
  // A password may stand in the query, too.
  disclosed: (value) => {
    const url = new URL(value)
    const user = url.username === "" ? "" : `${url.username}${url.password === "" ? "" : `:${hidden}`}@`
    return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === "" ? "" : `?${hidden}`}`
  },
  parse: matching((value) => {
    const url = URL.parse(value)
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.host.includes(",")) return undefined
    return isWholePostgresUrl(url) ? Redacted.make(value) : undefined
  })
}

const encryptionKeyLength = 32

/** What is expected of the key that encrypts webhook secrets. */
export const encryptionKeyForm = `${encryptionKeyLength} bytes in base64, as \`openssl rand -base64 32\` prints`

export const encryptionKey: SettingForm<Redacted.Redacted<Uint8Array>> = {
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

/** What can be sent as one. Whether it is one, each call is told: an assistant shows its person that and no end of a program. */
export const apiKey: SettingForm<Redacted.Redacted> = {
  expected: apiKeyForm,
  secret: true,
  parse: matching((value) => /^[!-~]+$/.test(value) ? Redacted.make(value) : undefined)
}

export const secretText: SettingForm<Redacted.Redacted> = {
  expected: "set to something",
  secret: true,
  parse: matching((value) => value === "" ? undefined : Redacted.make(value))
}

/** Short ones are guessed. */
const shortestSecret = 32

export const sharedSecret: SettingForm<Redacted.Redacted> = {
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

export const logLevel: SettingForm<LogLevel.LogLevel> = {
  expected: `one of ${Object.keys(levels).join(", ")}`,
  parse: matching((value) => {
    const level = value.toLowerCase()
    return isLevel(level) ? levels[level] : undefined
  })
}

/** What stands for a secret, or for the part of a text that is one. */
export const shownOf = <A>(form: SettingForm<A>, value: string): string =>
  form.secret === true ? form.disclosed?.(value) ?? hidden : value
