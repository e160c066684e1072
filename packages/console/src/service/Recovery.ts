/** What could not be read while the service was away is read by itself once it answers again. */
import { hashKey, type QueryClient } from "@tanstack/react-query"
import { isPassing } from "./Refusals.ts"
import { sessionKey } from "./Session.tsx"

const session = hashKey(sessionKey)

/**
 * Who is signed in tells whether the service is there: it is asked for when another read fails, and then until it is known again. A read that
 * fails alone is left to the person, so that nothing is asked for without end.
 */
export const recoverReads = (client: QueryClient): void => {
  let isAway = false
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return
    const { action, query: { queryHash, state: { error } } } = event
    if (queryHash !== session) {
      if (action.type !== "error" || !isPassing(error)) return
      void client.refetchQueries({ queryKey: sessionKey }, { cancelRefetch: false })
    } else if (action.type === "error") isAway = isPassing(error)
    else if (action.type === "success" && isAway) {
      isAway = false
      void client.refetchQueries({ predicate: ({ state }) => isPassing(state.error), type: "active" })
    }
  })
}
