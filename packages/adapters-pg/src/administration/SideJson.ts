/** What was before a change, or is after it, as the logs keep it. */
import type { Side } from "@freehold/core/administration/AdministrationLog"

/** null: nothing was. */
export const jsonOf = (side: Side): string | null => side === null ? null : JSON.stringify(side)
