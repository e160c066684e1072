/** One person in all tabs of a browser. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { type News, onNews, tellTabs } from "./Tabs.ts"

/**
 * Once somebody has signed out in another tab, or somebody else in, nothing of the one before stays on screen. The server says who
 * it is, so that tabs of several sessions could not make each other load for ever. `name`: who is signed in here by what is kept
 * under `sessionKey`; null: that is not known yet.
 */
export const useOtherTabs = (kind: Exclude<News["kind"], "spent">, name: string | null, sessionKey: QueryKey): void => {
  const client = useQueryClient()
  const before = useRef<string>(null)
  useEffect(() => {
    if (name === null) return undefined
    if (before.current !== null && before.current !== name) location.reload()
    before.current = name
    tellTabs({ kind, of: name })
    return onNews((news) => {
      if (news.kind === kind && news.of !== name) void client.invalidateQueries({ queryKey: sessionKey })
    })
  }, [client, kind, name, sessionKey])
}
