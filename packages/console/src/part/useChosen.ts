/** Which rows are chosen. */
import { useCallback, useState } from "react"

const none: ReadonlySet<string> = new Set()

export const useChosen = () => {
  const [chosen, choose] = useState(none)
  const clear = useCallback(() => choose(none), [])
  const toggle = useCallback(
    (id: string) =>
      choose((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    []
  )
  return { chosen, choose, clear, toggle }
}
