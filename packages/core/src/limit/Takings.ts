/**
 * What the call in progress took of the records allowance, told to the host beside the answer: REST shows it as
 * `meta.records`, MCP as `_meta.records`.
 */
import { Effect } from "effect"
import * as Aside from "../operation/Aside.ts"
import type { RecordsFacts } from "./Metering.ts"

const aside = Aside.make<RecordsFacts>("@freehold/core/limit/Takings")

export const { listener } = aside

/** Tells the host, if there is one; null: no allowance is in force. */
export const tell = (facts: RecordsFacts | null | undefined): Effect.Effect<void> =>
  facts === null || facts === undefined ? Effect.void : aside.tell(facts)
