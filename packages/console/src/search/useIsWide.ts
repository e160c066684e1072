/** Whether there is room for the map beside the results; the style sheet of the page asks for the same width. */
import { useSyncExternalStore } from "react"

const wide = matchMedia("(min-width: 64rem)")

const subscribe = (onChange: () => void) => {
  wide.addEventListener("change", onChange)
  return () => wide.removeEventListener("change", onChange)
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
