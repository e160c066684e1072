/** What each organization, and all whose organization is not known, use of this process. */
import * as Usage from "@freehold/core/load/Usage"
import * as MonotonicTime from "@freehold/core/operation/MonotonicTime"
import { Clock, Context } from "effect"
import * as ThreadLoad from "./ThreadLoad.ts"

/** That of this process. Its times are monotonic milliseconds, whoever tells them. */
export const ofProcess: Usage.Usage = Usage.make(ThreadLoad.busy)

/** Whatever clock is provided elsewhere, the database's too, it goes by this one's monotonic time. */
const machine: Clock.Clock = Context.get(Context.empty(), Clock.Clock)

/** What to tell it where there is no clock of an effect. */
export const now = (): number => MonotonicTime.millisOf(machine)
