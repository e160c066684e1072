/** What sends mail, where that is set up. */
import { Mailer } from "@freehold/core/notice/Mailer"
import { Effect, Layer, Option } from "effect"
import { SettingFault } from "../setting/Setting.ts"
import { Settings } from "../Settings.ts"
import { surroundings } from "./Foundation.ts"

const noMail = new SettingFault({
  setting: "FREEHOLD_SMTP_URL",
  expected: "set to send mail, and FREEHOLD_MAIL_FROM beside it",
  found: null
})

/** Loaded where mail is set up. */
export const mailer = Layer.unwrap(Effect.gen(function*() {
  const { mail } = yield* Settings
  if (Option.isNone(mail)) return Layer.effect(Mailer, Effect.fail(noMail))
  const { deadline, layer } = yield* Effect.promise(() => import("../mail/SmtpMailer.ts"))
  return layer({ ...mail.value, deadline })
}))

/** What sends mail, for a command; mail has to be set up. */
export const mail = mailer.pipe(Layer.provideMerge(surroundings))
