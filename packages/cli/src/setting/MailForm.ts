/** The forms of what mail is set up by. */
import { Option, Redacted } from "effect"
import type { SmtpServer } from "../mail/SmtpMailer.ts"
import { decoded, matching, type SettingForm } from "./SettingForm.ts"

const serverOf = (text: string): SmtpServer | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol)) return undefined
  const { hash, hostname, password, pathname, port, protocol, search, username } = url
  const [user, secret] = [decoded(username), decoded(password)]
  const isPlain = search === "" && hash === "" && (pathname === "" || pathname === "/")
  if (hostname === "" || !isPlain || user === undefined || secret === undefined) return undefined
  if ((user === "") !== (secret === "")) return undefined
  const secure = protocol === "smtps:"
  return {
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    account: user === "" ? Option.none() : Option.some({ user, password: Redacted.make(secret) })
  }
}

/** Where mail is handed over. */
export const smtpServer: SettingForm<SmtpServer> = {
  expected: "an smtp or smtps URL such as smtp://user:password@mail.example.com:587, with a password or without both",
  secret: true,
  parse: matching(serverOf)
}

/** An address alone, which a header can hold as it is. */
export const mailAddress: SettingForm<string> = {
  expected: "an address such as freehold@example.com",
  parse: matching((text) => /^[^\s@<>,;:"()[\]\\]{1,64}@[A-Za-z0-9.-]{1,255}$/.test(text) ? text : undefined)
}
