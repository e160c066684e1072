/**
 * What no attack may make a server hold or keep, whatever the machine is busy with. They are wider than what the server
 * itself sets, and far below what each attack reaches against a server that sets nothing.
 */

const mebibyte = 2 ** 20

/** Connections of one address, at any time. */
export const connectionsOfAddress = 256

/** Bytes of memory of the server's process above what it had in quiet. */
export const memory = 400 * mebibyte

/** What one attack may add to the logs of the embedded PostgreSQL. */
export const logs = mebibyte

/** What is kept of answers under the Idempotency-Keys of one credential. */
export const keptAnswers = 16 * mebibyte
