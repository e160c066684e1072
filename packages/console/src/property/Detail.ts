/** What the page of a property shows, and under which key it is kept. */
import type { Output } from "../service/Call.ts"

export type Detail = Output<"app_open_property">

/** `address`: what the page was opened by, which is the id or the key of the property, in any spelling. */
export const detailKey = (address: string) => ["property", address]
