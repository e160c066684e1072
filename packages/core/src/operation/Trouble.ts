/**
 * Why a call could not be answered, for the operator's log alone: the caller hears no more than that something is briefly
 * unavailable. The last that was told counts.
 */
import * as Aside from "./Aside.ts"

export const { listener, listening, tell } = Aside.make<string>("@freehold/core/operation/Trouble")
