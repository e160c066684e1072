/**
 * What no attack may make a server hold or keep, whatever the machine is busy with: what the server itself sets, or more
 * where it sets something else, and far below what is reached against a server that sets nothing.
 */

import { IdempotencyRoom } from "@freehold/core/operation/Idempotency"
import { defaults } from "@freehold/http-host/ServerBounds"

const mebibyte = 2 ** 20

/**
 * Files of connections of one address, at any time: those that there may be, and those that were turned away in the same
 * round of the event loop and are let go of at its end.
 */
export const connectionsOfAddress = defaults.connectionsPerAddress + 64

/** Bytes of memory of the server's process above what it had in quiet. */
export const memory = 400 * mebibyte

/** Bytes that one attack may add to the logs of the embedded PostgreSQL: some lines, and nothing of what clients sent. */
export const logs = mebibyte / 16

/** What is kept of answers under the Idempotency-Keys of one credential. */
export const keptAnswers = IdempotencyRoom.defaultValue().most
