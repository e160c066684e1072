/** What the page of a property shows, and under which key it is kept. */
import type { Output } from "../service/Call.ts"

export type Detail = Output<"app_open_property">

export const detailKey = (id: string) => ["property", id]
