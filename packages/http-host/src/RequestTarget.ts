/**
 * What a request asks for, as its first line says it (RFC 9112, 3.2), before any route sees it.
 *
 * | first line             | what it becomes                                    |
 * | ---------------------- | -------------------------------------------------- |
 * | `GET /path?query`      | as it is                                           |
 * | `GET http://host/path` | `/path`, and the host that it names before `Host`  |
 * | `OPTIONS *`            | a question about the server as a whole             |
 * | all others             | a fault                                            |
 */

export type RequestTarget =
  | { readonly _tag: "Path"; readonly path: string; readonly host: string | null }
  | { readonly _tag: "Server" }
  | { readonly _tag: "Fault"; readonly error: string }

const slash = 47

const fault = (error: string): RequestTarget => ({ _tag: "Fault", error })

const unknown = fault("The request asks for neither a path nor an address with http or https.")
const withFragment = fault(
  "The request has a fragment (#), which is not for servers; send %23 where the character is meant."
)

/** A name or an address, and a port; empty where there is none. */
const hostForm = /^(?:\[[\da-f:.]+\]|[^\s"#,/:<>?@[\\\]^`{|}]*)(?::\d*)?$/i

const addressForm = /^https?:\/\/([^/?]+)(.*)$/i

/** Whether it may be what a `Host` header says. */
export const isHost = (host: string): boolean => hostForm.test(host)

const ofAddress = (target: string): RequestTarget => {
  const [, host, rest = ""] = addressForm.exec(target) ?? []
  if (host === undefined || !isHost(host)) return unknown
  return { _tag: "Path", path: rest.startsWith("/") ? rest : `/${rest}`, host }
}

export const read = (method: string, target: string): RequestTarget => {
  if (target.includes("#")) return withFragment
  if (target.charCodeAt(0) === slash) return { _tag: "Path", path: target, host: null }
  if (target === "*") return method === "OPTIONS" ? { _tag: "Server" } : unknown
  return ofAddress(target)
}
