/**
 * What no attack may make a server hold or keep, whatever the machine is busy with: what the server itself sets, or more
 * where it sets something else, and far below what is reached against a server that sets nothing.
 */

import { IdempotencyRoom } from "@freehold/core/operation/Idempotency"
import { defaults } from "@freehold/http-host/ServerBounds"

const mebibyte = 2 ** 20

/** Connections of one address, at any time; one more than there may be, for the moment in which it is turned away. */
export const connectionsOfAddress = defaults.connectionsPerAddress + 1

/** Bytes of memory of the server's process above what it had in quiet. */
export const memory = 400 * mebibyte

/** Bytes that one attack may add to the logs of the embedded PostgreSQL: some lines, and nothing of what clients sent. */
export const logs = mebibyte / 16

/** What is kept of answers under the Idempotency-Keys of one credential. */
export const keptAnswers = IdempotencyRoom.defaultValue().most
