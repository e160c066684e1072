/**
 * Where a webhook may point: the rule that registration applies once and delivery applies again on every attempt.
 *
 * | policy   | schemes     | hosts                                                                       |
 * | -------- | ----------- | --------------------------------------------------------------------------- |
 * | `public` | https       | names other than `localhost`, `.local`, `.internal`; public address literals |
 * | `any`    | http, https | all (for development)                                                       |
 *
 * Under both, a user name or password in the URL and port 0 are refused.
 *
 * *Gotchas*
 * - The rule reads the URL alone. Where a name leads is known only when it is resolved, so a name that does not
 *   resolve, or resolves to a private address, passes here and is caught at delivery.
 * - The WHATWG parser does the disarming: it turns `0x7f.1`, `2130706433` and full-width digits into `127.0.0.1`, and
 *   percent-encoded or internationalised names into ASCII, before the rule looks.
 */
import { Option, Result, Schema } from "effect"
import { TargetPolicy } from "../operation/ServiceSettings.ts"
import { isPublicAddress } from "./PublicAddress.ts"

/** The part of the platform's WHATWG URL that this module uses; `core` is compiled without any platform's types. */
declare const URL: {
  readonly parse: (input: string) => {
    readonly protocol: string
    readonly username: string
    readonly password: string
    readonly hostname: string
    readonly port: string
    readonly pathname: string
    readonly search: string
  } | null
}

export const TargetRule = Schema.Literals([
  "absolute_url",
  "scheme",
  "credentials",
  "port",
  "local_name",
  "private_address"
])
export type TargetRule = typeof TargetRule.Type

/** The URL breaks a rule of the policy. The message is a sentence for the person who sent the URL. */
export class TargetRefused extends Schema.TaggedError<TargetRefused>()("TargetRefused", {
  rule: TargetRule,
  policy: TargetPolicy
}) {
  override get message() {
    switch (this.rule) {
      case "absolute_url":
        return "The URL must be an absolute URL with a host."
      case "scheme":
        return this.policy === "public" ? "The URL must use https." : "The URL must use http or https."
      case "credentials":
        return "The URL must not contain a user name or password."
      case "port":
        return "The URL must not use port 0."
      case "local_name":
        return "The URL must not name a local host (localhost, .local or .internal)."
      case "private_address":
        return "The URL must not point at a private, local or reserved address."
    }
  }
}

/** A URL that passed the rule, taken apart once. */
export interface WebhookTarget {
  /** The canonical URL: two URLs are the same target exactly when their `href`s are equal. */
  readonly href: string
  readonly secure: boolean
  /** Lower case, without trailing dot or brackets. */
  readonly hostname: string
  readonly isAddress: boolean
  readonly port: number
  /** Path and query, as the request line carries them. */
  readonly path: string
}

const defaultPort = (protocol: string): number => protocol === "https:" ? 443 : 80

const isLocalName = (hostname: string): boolean =>
  ["localhost", "local", "internal"].some((name) => hostname === name || hostname.endsWith(`.${name}`))

const isAddressLiteral = (host: string): boolean => host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host)

/** Decides whether `url` may be registered, or sent to, under `policy`. */
export const vetUrl = (url: string, policy: TargetPolicy): Result.Result<WebhookTarget, TargetRefused> => {
  const refuse = (rule: TargetRule) => Result.fail(new TargetRefused({ rule, policy }))
  const parsed = URL.parse(url)
  if (parsed === null) return refuse("absolute_url")
  const { password, pathname, port, protocol, search, username } = parsed
  const secure = protocol === "https:"
  if (!secure && (policy === "public" || protocol !== "http:")) return refuse("scheme")
  const host = parsed.hostname.replace(/\.+$/, "")
  if (host === "") return refuse("absolute_url")
  if (username !== "" || password !== "") return refuse("credentials")
  if (port === "0") return refuse("port")
  const isAddress = isAddressLiteral(host)
  const hostname = host.replace(/^\[|\]$/g, "")
  if (policy === "public") {
    if (isLocalName(hostname)) return refuse("local_name")
    if (isAddress && !isPublicAddress(hostname)) return refuse("private_address")
  }
  const path = `${pathname}${search}`
  return Result.succeed({
    href: `${protocol}//${host}${port === "" ? "" : `:${port}`}${path}`,
    secure,
    hostname,
    isAddress,
    port: port === "" ? defaultPort(protocol) : Number(port),
    path
  })
}

/**
 * What two spellings of one target have in common: the case of the host, a default port, a trailing dot of the host
 * and a fragment (which is never sent) do not matter. Text that is no URL is its own key.
 */
export const sameTargetKey = (url: string): string =>
  Option.match(Result.getSuccess(vetUrl(url, "any")), { onNone: () => url, onSome: ({ href }) => href })
