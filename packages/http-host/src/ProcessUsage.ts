/** What each organization, and all whose organization is not known, use of this process. */
import * as Usage from "@freehold/core/load/Usage"
import * as ThreadLoad from "./ThreadLoad.ts"

/** That of this process. Its times are milliseconds since the epoch. */
export const ofProcess: Usage.Usage = Usage.make(ThreadLoad.busy)
