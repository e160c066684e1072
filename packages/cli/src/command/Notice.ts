/** `freehold notice`: what admins and the operator were told without having asked, and whether mail arrives. */
import { Mailer } from "@freehold/core/notice/Mailer"
import { NoticeKind, Notices } from "@freehold/core/notice/Notices"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { CommandRefused } from "../CommandRefused.ts"
import { administration, mail } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { mailAddress } from "../setting/MailForm.ts"
import { Settings } from "../Settings.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const list = Command.make(
  "list",
  {
    org: org.pipe(Flag.optional),
    kind: Flag.Literals("kind", NoticeKind.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit: wholeNumberFlag("limit", { least: 1, most: 1000 }).pipe(
      Flag.withDescription("At most so many, the newest first"),
      Flag.withDefault(50)
    ),
    json
  },
  Effect.fn(function*(input) {
    const orgId = Option.isNone(input.org) ? null : (yield* findOrganization(input.org.value)).org_id
    const { notices, total } = yield* Notices.use((port) =>
      port.list({
        orgId,
        ...Option.isSome(input.kind) ? { kinds: [input.kind.value] } : {},
        limit: input.limit,
        offset: 0
      })
    )
    const { mail: mailing } = yield* Settings
    const items = notices.map(({ createdAt, id, kind, mail, orgId, text }) => ({
      id,
      created_at: createdAt,
      org_id: orgId,
      kind,
      text,
      // Nothing takes it anywhere.
      mail: mail === "waiting" && Option.isNone(mailing) ? "none" as const : mail
    }))
    yield* print(input.json, { items, total }, (shown) =>
      table(
        ["created_at", "org_id", "kind", "mail", "text"],
        shown.items.map((item) => [item.created_at, item.org_id, item.kind, item.mail, item.text])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List what admins and you were told in the last 90 days, newest first"),
  Command.withExamples([{ command: "freehold notice list --kind import_failed", description: "Imports that failed" }])
)

const test = Command.make(
  "test",
  {
    to: Flag.String("to").pipe(
      Flag.withMetavar("ADDRESS"),
      Flag.withDescription("Where to, instead of FREEHOLD_OPERATOR_MAIL"),
      Flag.filterMap(mailAddress.parse, (text) => `Expected ${mailAddress.expected}, got ${text}`),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const { operatorMail } = yield* Settings
    const to = Option.getOrUndefined(Option.orElse(input.to, () => operatorMail))
    if (to === undefined) {
      return yield* new CommandRefused({ reason: "nobody to send it to: give --to, or set FREEHOLD_OPERATOR_MAIL" })
    }
    const id = yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())
    const mail = {
      to,
      id,
      subject: "Freehold: a test",
      text: "Mail from this installation arrives. `freehold notice test` sent this.\n"
    }
    yield* Effect.catchTag(
      Mailer.use((mailer) => mailer.send(mail)),
      "MailNotTaken",
      ({ reason }) => Effect.fail(new CommandRefused({ reason: `the mail was not taken: ${reason}` }))
    )
    yield* print(input.json, { to, sent: true }, (shown) => record([["to", shown.to], ["sent", "yes"]]))
  }, Effect.provide(mail))
).pipe(
  Command.withDescription("Send a mail, to see whether it arrives"),
  Command.withExamples([{ command: "freehold notice test --to ana@example.com", description: "Does mail arrive?" }])
)

export const noticeCommand = Command.make("notice").pipe(
  Command.withExamples([{ command: "freehold notice list", description: "What there was to tell lately" }]),
  Command.withSubcommands([list, test])
)
