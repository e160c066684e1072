/** Which rows are chosen: of those that are shown, so that nothing unseen is bought. */
import { useCallback, useState } from "react"

const none: ReadonlySet<string> = new Set()

/** `of`: what the rows answer; of another question none is chosen. */
export const useChosen = (of = "") => {
  const [choice, setChoice] = useState({ of, chosen: none })
  const chosen = choice.of === of ? choice.chosen : none
  const choose = useCallback((next: ReadonlySet<string>) => setChoice({ of, chosen: next }), [of])
  const clear = useCallback(() => choose(none), [choose])
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(chosen)
      if (!next.delete(id)) next.add(id)
      choose(next)
    },
    [choose, chosen]
  )
  return { chosen, choose, clear, toggle }
}
