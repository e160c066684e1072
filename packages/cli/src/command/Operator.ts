/** `freehold operator`: who of the operator's people is signed in to their area of the app. */
import { type OperatorSession, OperatorSessions } from "@freehold/core/access/OperatorSessions"
import { linkLifetime } from "@freehold/core/access/Sessions"
import { parseId } from "@freehold/core/operation/Uuid"
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import * as LinkOrigin from "../LinkOrigin.ts"
import { accountable, accountably, operatorNamed } from "../Operator.ts"
import { operatorLink, operatorOrigin } from "../Origin.ts"
import { json, print, table } from "../Output.ts"
import { Settings } from "../Settings.ts"
import { wrongUsage } from "../WrongUsage.ts"

const name = Flag.String("name").pipe(
  Flag.withMetavar("NAME"),
  Flag.withDescription("What you are called in the log; by default as who makes the link is"),
  Flag.filter((text) => text.trim() !== "" && text.length <= 100, () => "Expected 1 to 100 characters"),
  Flag.optional
)

const link = Command.make(
  "link",
  { name, port: LinkOrigin.port, ...accountable, json },
  Effect.fn(function*(input) {
    const settings = yield* Settings
    const dialled = yield* LinkOrigin.dialled(settings, input.port)
    const origin = operatorOrigin(settings, dialled)
    if (origin === null) {
      return yield* new CommandRefused({
        reason: "the operator's area is switched off (FREEHOLD_OPERATOR_CONSOLE or FREEHOLD_CONSOLE is off)"
      })
    }
    if (Option.isSome(input.port) && origin !== dialled) {
      return yield* new CommandRefused({
        reason: "--port: FREEHOLD_OPERATOR_CONSOLE says where the operator's area is; leave one of them out"
      })
    }
    const { name: account } = yield* operatorNamed(input.as)
    const called = Option.getOrElse(input.name, () => account ?? "operator")
    const secret = yield* accountably(input, OperatorSignIn.use((signIn) => signIn.issueLink(called)), () => ({
      action: "operator.link_issued",
      orgId: null,
      subject: called,
      before: null,
      after: null
    }))
    const url = operatorLink(origin, secret)
    const minutes = Duration.toMinutes(linkLifetime)
    yield* print(
      input.json,
      { url, name: called, minutes },
      () =>
        `${url}\n\nSigns in as ${called} once, within ${minutes} minutes; a link made for that name before no longer does.`
    )
    if (origin === dialled) yield* LinkOrigin.warnIfSilent(settings, origin)
  }, Effect.provide(Layer.provideMerge(OperatorSignIn.layer, administration)))
).pipe(
  Command.withDescription("Print a link by which you sign in to the operator's area of the app, once"),
  Command.withExamples([
    { command: "freehold operator link", description: "Open it in a browser within 15 minutes" },
    {
      command: "freehold operator link --name 'Sam Sample'",
      description: "What Sam does there is logged under that name"
    },
    { command: "freehold operator link --port 8000", description: "To the server of `freehold serve --port 8000`" }
  ])
)

const view = (session: OperatorSession) => ({
  session_id: session.sessionId,
  name: session.name,
  signed_in_at: session.signedInAt.toISOString(),
  last_used_at: session.lastUsedAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  user_agent: session.userAgent
})

/** Ends one session, or all where none is named; answers how many. */
const end = Effect.fnUntraced(function*(given: Option.Option<string>) {
  const sessionId = Option.flatMap(given, parseId)
  const ended = Option.isSome(given) && Option.isNone(sessionId)
    ? 0
    : yield* OperatorSessions.use((sessions) => sessions.revoke(Option.getOrNull(sessionId)))
  return Option.isSome(given) && ended === 0
    ? yield* new CommandRefused({ reason: `there is no session ${given.value}` })
    : ended
})

const sessions = Command.make(
  "sessions",
  {
    revoke: Flag.String("revoke").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("End this session: its next request is refused"),
      Flag.optional
    ),
    revokeAll: Flag.Boolean("revoke-all").pipe(
      Flag.withDescription("End every session and every link that was not used yet"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function*(input) {
    if (Option.isSome(input.revoke) && input.revokeAll) {
      return yield* wrongUsage("Expected one of --revoke, --revoke-all")
    }
    const working = Effect.gen(function*() {
      if (Option.isSome(input.revoke) || input.revokeAll) {
        const ended = yield* end(input.revoke)
        return yield* print(input.json, { ended }, () => `${ended} ended`)
      }
      const items = (yield* OperatorSessions.use((sessions) => Effect.flatMap(Clock.currentTimeMillis, sessions.list)))
        .map(view)
      yield* print(input.json, { items }, () =>
        table(
          ["session_id", "name", "signed_in_at", "last_used_at", "expires_at", "browser"],
          items.map((session) => [
            session.session_id,
            session.name,
            session.signed_in_at,
            session.last_used_at,
            session.expires_at,
            session.user_agent
          ])
        ))
    })
    yield* Effect.provide(working, administration)
  })
).pipe(
  Command.withDescription("List who is signed in to the operator's area, and end sessions there"),
  Command.withExamples([
    { command: "freehold operator sessions", description: "Every browser in which somebody is signed in" },
    { command: "freehold operator sessions --revoke-all", description: "Sign everybody out, and void all links" }
  ])
)

export const operatorCommand = Command.make("operator").pipe(
  Command.withExamples([{ command: "freehold operator link", description: "A link to open in a browser" }]),
  Command.withSubcommands([link, sessions])
)
