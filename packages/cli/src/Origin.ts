/** The addresses under which a server is known. */
import { Option, Redacted } from "effect"
import type { Settings } from "./Settings.ts"

/** Where each property has a page: the operator's own application, else the app that this server serves; null: nowhere. */
export const appOrigin = (
  { appUrl, console }: Pick<Settings["Service"], "appUrl" | "console">,
  publicUrl: string
): string | null => Option.getOrElse(appUrl, () => console ? publicUrl : null)

type Given = Pick<Settings["Service"], "host" | "port" | "publicUrl">

/** A host and its port, as they are written in an address. */
export const hostAndPort = ({ host, port }: Pick<Given, "host" | "port">): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

/** Where the server itself listens. */
export const ownOrigin = (given: Pick<Given, "host" | "port">): string => `http://${hostAndPort(given)}`

/** What clients dial. */
export const publicOrigin = (settings: Given): string => Option.getOrElse(settings.publicUrl, () => ownOrigin(settings))

/** What the operator dials to look after the installation; null: there is no area for that. */
export const operatorOrigin = (
  { console, operatorConsole }: Pick<Settings["Service"], "console" | "operatorConsole">,
  publicUrl: string
): string | null =>
  !console || operatorConsole === "off" ? null : operatorConsole === "on" ? publicUrl : operatorConsole

/** What one of the operator's people opens to sign in. */
export const operatorLink = (origin: string, secret: Redacted.Redacted): string =>
  `${origin}/operator/sign-in#${Redacted.value(secret)}`

/** What a member opens to sign in. The secret is in the fragment, which no server sees before it is sent on purpose. */
export const signInLink = (origin: string, secret: Redacted.Redacted): string =>
  `${origin}/sign-in#${Redacted.value(secret)}`
