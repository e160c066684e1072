/** What is known of the request at hand before anything reads it, and what is learnt on the way: for the access log, and of its answer. */
import type { CallerFacts } from "@freehold/core/access/Caller"
import { Context } from "effect"

/** Written by whoever learns it. Never a secret, never a query string. */
export interface Noted {
  /** The path's template. */
  route: string | null
  caller: CallerFacts | null
  /** The code of the refusal that was answered. */
  code: string | null
  /** Headers that the answer has besides its own, whatever it is; names in lower case. */
  headers: Readonly<Record<string, string>>
}

export class RequestFacts extends Context.Service<RequestFacts, {
  readonly requestId: string
  readonly address: string
  readonly noted: Noted
}>()("@freehold/http-host/RequestFacts") {}
