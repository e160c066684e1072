/** What the page of a property shows, under which key it is kept, and how it is shown anew. */
import { useQueryClient } from "@tanstack/react-query"
import type { Output } from "../service/Call.ts"

export type Detail = Output<"app_open_property">

const room = "property"

/** `address`: what the page was opened by, which is the id or the key of the property, in any spelling. */
export const detailKey = (address: string) => [room, address]

/** Shows anew what is open. A property does not know by what address its page was opened, so that is any of them. */
export const useDetailChanged = (): () => Promise<void> => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [room] })
}
