/** What keys do while there is something to take back or to leave on the map. */
import { useEffect, useRef } from "react"

interface Keys {
  readonly Escape: (() => void) | null
  /** Ctrl+Z as well. */
  readonly Backspace: (() => void) | null
}

const nameOf = ({ altKey, ctrlKey, key, metaKey, shiftKey }: KeyboardEvent): keyof Keys | null => {
  if (altKey || shiftKey) return null
  if (ctrlKey || metaKey) return key.toLowerCase() === "z" ? "Backspace" : null
  return key === "Escape" || key === "Backspace" ? key : null
}

/** Whether it is a key for whatever somebody types into, or for what is open above the page. */
const isForOthers = ({ target }: KeyboardEvent, name: keyof Keys): boolean =>
  document.querySelector("dialog[open], :popover-open") !== null ||
  name === "Backspace" && target instanceof HTMLInputElement && target.type !== "checkbox"

/** Each key as long as it does something; nothing else on the page hears it then. */
export const useMapKeys = (keys: Keys): void => {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = nameOf(event)
      const act = name === null || isForOthers(event, name) ? null : current.current[name]
      if (act === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      act()
    }
    window.addEventListener("keydown", press, { capture: true })
    return () => window.removeEventListener("keydown", press, { capture: true })
  }, [])
}
