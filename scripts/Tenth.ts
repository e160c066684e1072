/**
 * A tenth of many things, chosen by a text such as a commit's hash: the same text chooses the same tenth on every machine,
 * and the ten together are everything.
 */
import { createHash } from "node:crypto"

/** 0 to 9. */
export const tenthOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE() % 10

/** Every tenth thing, from the `tenth`th on: neighbours, which share a subject, come into different ones. */
export const inTenth = <A>(things: ReadonlyArray<A>, tenth: number): ReadonlyArray<A> =>
  things.filter((_, index) => index % 10 === tenth)
