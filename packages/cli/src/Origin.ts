/** The addresses under which a server is known. */
import { Option } from "effect"
import type { Settings } from "./Settings.ts"

type Given = Pick<Settings["Service"], "host" | "port" | "publicUrl">

/** Where the server itself listens. */
export const ownOrigin = ({ host, port }: Pick<Given, "host" | "port">): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** What clients dial. */
export const publicOrigin = (settings: Given): string => Option.getOrElse(settings.publicUrl, () => ownOrigin(settings))
