/** What is known of the request at hand before anything reads it, and what is learnt on the way for the access log. */
import type { CallerFacts } from "@freehold/core/access/Caller"
import { Context, type MutableRef } from "effect"

/** For the access log; never a secret, never a query string. */
export interface Noted {
  /** The path's template. */
  readonly route: string | null
  readonly caller: CallerFacts | null
  /** The code of the refusal that was answered. */
  readonly code: string | null
}

export class RequestFacts extends Context.Service<RequestFacts, {
  readonly requestId: string
  readonly address: string
  readonly noted: MutableRef.MutableRef<Noted>
}>()("@freehold/http-host/RequestFacts") {}
