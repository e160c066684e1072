/** What is old once a record stands otherwise than it was read: what is on screen is read anew, the rest when it is shown again. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query"

/** Under what is kept what shows whether a property or a person is open. */
const ofOpenings = [
  "property",
  "person",
  "firm",
  "search",
  "names",
  "map",
  "here",
  "lists",
  "browse-contacts",
  "browse-firms",
  "find-contacts",
  "changes"
]

/** Under what is kept what shows how far a property is in the pipeline. */
const ofLeads = ["lead", "board", "search", "names", "map", "here"]

const readAnew = async (client: QueryClient, keys: ReadonlyArray<string>): Promise<void> => {
  await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}

/** A lead was made or moved, or a move refused. */
export const leadChanged = (client: QueryClient): Promise<void> => readAnew(client, ofLeads)

export const useLeadChanged = (): () => Promise<void> => {
  const client = useQueryClient()
  return () => leadChanged(client)
}

/** Something was opened or found out. By whatever address its page was opened: the key of a property, or its id in any spelling. */
export const useOpened = (): () => Promise<void> => {
  const client = useQueryClient()
  return () => readAnew(client, ofOpenings)
}
