/** What each organization, and each address that is not known, uses of what stands before admission. */
import * as Usage from "@freehold/core/load/Usage"
import * as ThreadLoad from "./ThreadLoad.ts"

/** That of this process. Its times are milliseconds since the epoch. */
export const ofProcess: Usage.Usage = Usage.make(ThreadLoad.busy)
