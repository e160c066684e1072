/**
 * Keys whose organization moved to another cell than they name, as far as the front was told. It keeps no key: only what
 * SHA-256 makes of one.
 */
import { remember } from "@freehold/core/operation/Remember"
import { createHash } from "node:crypto"

/** The one that was learned first is forgotten first. */
const maximum = 10_000

const hashOf = (bearer: string): string => createHash("sha256").update(bearer).digest("base64")

export class Moved {
  readonly #cells = new Map<string, string>()

  cellOf(bearer: string | null): string | undefined {
    return bearer === null || this.#cells.size === 0 ? undefined : this.#cells.get(hashOf(bearer))
  }

  learn(bearer: string, cell: string): void {
    remember(this.#cells, hashOf(bearer), cell, maximum)
  }
}
