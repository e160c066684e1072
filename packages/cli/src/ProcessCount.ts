/** How many processes serve on one port, this one included, and share what a server may hold and take. */
import { Context } from "effect"

export const ProcessCount = Context.Reference<number>("@freehold/cli/ProcessCount", { defaultValue: () => 1 })
