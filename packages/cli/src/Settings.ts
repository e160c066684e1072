/**
 * What the operator set by environment variables: the values of `setting/SettingList`, read once, at the start. A variable
 * that does not parse stops the command with one line that names it; an empty one counts as not set.
 */
import { Context, Duration, Effect, Layer, Option, Struct } from "effect"
import { type Setting, SettingFault } from "./setting/Setting.ts"
import { settings } from "./setting/SettingList.ts"

interface Reading extends Struct.Lambda {
  <A>(setting: Setting<A>): Effect.Effect<A, SettingFault>
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Effect.Effect<A, SettingFault> : never
}

const readEach = Effect.all(Struct.map(settings, Struct.lambda<Reading>(({ read }) => read)))

interface Half {
  readonly setting: Setting<unknown>
  readonly value: Option.Option<unknown>
}

/** Two that are of no use without each other. */
const together = (one: Half, other: Half): Effect.Effect<void, SettingFault> => {
  if (Option.isSome(one.value) === Option.isSome(other.value)) return Effect.void
  const [given, missing] = Option.isSome(one.value) ? [one, other] : [other, one]
  return Effect.fail(
    new SettingFault({ setting: missing.setting.name, expected: `set when ${given.setting.name} is`, found: null })
  )
}

/** What is of use only beside the other. */
const beside = (one: Half, other: Half): Effect.Effect<void, SettingFault> =>
  Option.isNone(one.value) ? Effect.void : together(one, other)

interface Kept {
  readonly setting: Setting<Duration.Duration>
  readonly value: Duration.Duration
}

/** What is kept at least as long as the other. */
const atLeast = (longer: Kept, shorter: Kept): Effect.Effect<void, SettingFault> =>
  Duration.isGreaterThanOrEqualTo(longer.value, shorter.value) ? Effect.void : Effect.fail(
    new SettingFault({
      setting: longer.setting.name,
      expected: `at least as long as ${shorter.setting.name}`,
      found: Duration.format(longer.value)
    })
  )

const read = Effect.gen(function*() {
  const {
    databasePools,
    databasePrepare,
    databaseStartup,
    drafterKey,
    drafterModel,
    drafterUrl,
    keepBodies,
    keepDeliveries,
    keepEvents,
    mailFrom,
    replicaMaxLag,
    replicaPatience,
    researcherSecret,
    researcherUrl,
    signInClientId,
    signInClientSecret,
    smtpServer,
    ...rest
  } = yield* readEach
  yield* together(
    { setting: settings.researcherUrl, value: researcherUrl },
    { setting: settings.researcherSecret, value: researcherSecret }
  )
  yield* together(
    { setting: settings.drafterUrl, value: drafterUrl },
    { setting: settings.drafterModel, value: drafterModel }
  )
  yield* together({ setting: settings.smtpServer, value: smtpServer }, { setting: settings.mailFrom, value: mailFrom })
  yield* beside(
    { setting: settings.operatorMail, value: rest.operatorMail },
    { setting: settings.smtpServer, value: smtpServer }
  )
  yield* beside(
    { setting: settings.encryptionKeyPrevious, value: rest.encryptionKeyPrevious },
    { setting: settings.encryptionKey, value: rest.encryptionKey }
  )
  yield* beside(
    { setting: settings.signInClientSecret, value: signInClientSecret },
    { setting: settings.signInClientId, value: signInClientId }
  )
  yield* beside(
    { setting: settings.signInClientId, value: signInClientId },
    { setting: settings.oauthIssuer, value: rest.oauthIssuer }
  )
  yield* atLeast(
    { setting: settings.keepDeliveries, value: keepDeliveries },
    { setting: settings.keepBodies, value: keepBodies }
  )
  yield* atLeast(
    { setting: settings.keepEvents, value: keepEvents },
    { setting: settings.keepDeliveries, value: keepDeliveries }
  )
  return {
    ...rest,
    kept: { bodies: keepBodies, deliveries: keepDeliveries, events: keepEvents },
    /** How connections are made, and how many. */
    databaseManner: { sizes: databasePools, prepare: databasePrepare, startup: databaseStartup },
    replicaBounds: { maxLag: replicaMaxLag, patience: replicaPatience },
    /** The operator's own system that researches. */
    researcher: Option.all({ url: researcherUrl, secret: researcherSecret }),
    /** What the app is registered with at the authorization server. None: people sign in to it by links. */
    signInClient: Option.map(signInClientId, (id) => ({ id, secret: signInClientSecret })),
    /** What notices are mailed through. */
    mail: Option.all({ server: smtpServer, from: mailFrom }),
    /** The language model that writes drafts. */
    drafter: Option.map(Option.all({ url: drafterUrl, model: drafterModel }), (both) => ({ ...both, key: drafterKey }))
  }
})

export class Settings extends Context.Service<Settings, Effect.Success<typeof read>>()("@freehold/cli/Settings") {
  static readonly layer = Layer.effect(Settings, Effect.suspend(() => read))
}
