/**
 * The layers that commands use, loaded when one needs them and no others, so that each answers as soon as it can.
 */
import { Effect, Layer } from "effect"

const composition = Effect.promise(() => import("./Composition.ts"))

const serving = Effect.promise(() => import("./composition/Serving.ts"))

const migrating = Effect.promise(() => import("./composition/Migrating.ts"))

/** What commands about organizations use. */
export const accounting = Layer.unwrap(
  Effect.map(Effect.promise(() => import("./composition/Accounts.ts")), ({ accounting }) => accounting)
)

export const administration = Layer.unwrap(Effect.map(composition, ({ administration }) => administration))

export const auditing = Layer.unwrap(Effect.map(composition, ({ auditing }) => auditing))

export const publishing = Layer.unwrap(Effect.map(composition, ({ publishing }) => publishing))

export const receiving = Layer.unwrap(Effect.map(composition, ({ receiving }) => receiving))

export const provisioning = Layer.unwrap(Effect.map(composition, ({ provisioning }) => provisioning))

export const moving = Layer.unwrap(Effect.map(composition, ({ moving }) => moving))

export const recording = Layer.unwrap(Effect.map(composition, ({ recording }) => recording))

export const importing = Layer.unwrap(Effect.map(composition, ({ importing }) => importing))

export const examiningImports = Layer.unwrap(Effect.map(composition, ({ examiningImports }) => examiningImports))

export const hosting = Layer.unwrap(Effect.map(serving, ({ hosting }) => hosting))

export const attached = Layer.unwrap(Effect.map(serving, ({ attached }) => attached))

export const owning = Layer.unwrap(Effect.map(serving, ({ owning }) => owning))

export const preparing = Layer.unwrap(Effect.map(serving, ({ preparing }) => preparing))

export const webhooks = Layer.unwrap(Effect.map(composition, ({ webhooks }) => webhooks))

export const crms = Layer.unwrap(
  Effect.map(Effect.promise(() => import("./CrmComposition.ts")), ({ crms }) => crms)
)

/** The sources, and what reads from them. */
export const sources = Layer.unwrap(Effect.map(composition, ({ sources }) => sources))

export const sourcesMigrated = Layer.unwrap(Effect.map(composition, ({ sourcesMigrated }) => sourcesMigrated))

const configuredReader = Effect.promise(() => import("./source/ConfiguredReader.ts"))

export const sourcesReading = Layer.unwrap(Effect.map(configuredReader, ({ layer }) => layer)).pipe(
  Layer.provideMerge(sources)
)

/** What reads from a source that is not kept anywhere. */
export const portals = Layer.unwrap(Effect.map(configuredReader, ({ alone }) => alone))

/** What sends mail. */
export const mail = Layer.unwrap(
  Effect.map(Effect.promise(() => import("./composition/Mailing.ts")), ({ mail }) => mail)
)

/** The workers over a database that is migrated. */
export const workers = Layer.unwrap(
  Effect.map(Effect.promise(() => import("./composition/Working.ts")), ({ loneWorkers }) => loneWorkers)
)

/** Runs what is missing of the schema; answers the migrations that it ran. */
export const migrate = Effect.flatMap(migrating, ({ migration }) => Effect.provide(migration.run, migration.layer))

/** Lets the present encryption key take the place of one that is lost; answers what was lost with that. */
export const replaceKey = Effect.flatMap(
  composition,
  ({ keyReplacement }) => Effect.provide(keyReplacement.run, keyReplacement.layer)
)
