/** A calling key as the author of ledger entries. */
import type { EntryActor } from "../credit/LedgerEntry.ts"
import type { CallerFacts } from "./Caller.ts"

export const keyActor = (caller: CallerFacts): EntryActor => ({
  kind: "key",
  id: caller.credentialId,
  name: caller.keyName
})
