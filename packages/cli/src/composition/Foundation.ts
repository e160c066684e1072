/** What commands stand on, whatever they do: settings, logs, randomness, a database. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as DatabaseClock from "@freehold/adapters-pg/database/DatabaseClock"
import { Layer } from "effect"
import { Address, commandClients } from "../DatabaseClients.ts"
import { refuseUnmigrated } from "../DatabaseSchema.ts"
import { EncryptionKey } from "../EncryptionKey.ts"
import * as Observability from "../Observability.ts"
import { Settings } from "../Settings.ts"
import * as CipherNode from "./CipherNode.ts"
import * as MacNode from "./MacNode.ts"

// Of node:crypto: WebCrypto sends every hash to a thread, which costs a request more than the hash.
const { layerDigest, layerSecureRandom } = NodeCrypto
const randomness = Layer.mergeAll(CipherNode.layer, MacNode.layer, layerDigest, layerSecureRandom)

export const surroundings = Layer.merge(Observability.layer, randomness).pipe(Layer.provideMerge(Settings.layer))

/** A database for a command. */
export const plain = commandClients.pipe(Layer.provideMerge(Address.layer), Layer.provideMerge(surroundings))

/**
 * The same by the database's clock: for whatever books, and says when something ends. What an operator's machine takes for expired is
 * not so before the database's time.
 */
export const timed = DatabaseClock.layer.pipe(Layer.provideMerge(plain))

/** The operator's key, which is asked for first: a setting that is missing is told before anything runs. */
export const keyed = Address.layer.pipe(Layer.provideMerge(EncryptionKey.layer), Layer.provideMerge(surroundings))

export const onlyIfMigrated = Layer.effectDiscard(refuseUnmigrated)
