/**
 * Parts of the app whose file comes when they are first shown.
 *
 * React's own `lazy` is not for them: what stood in for a part is kept for 300 milliseconds, and so is what the part asks for, however soon
 * its file is there.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from "react"
import { NotLoaded } from "./Fault.tsx"

/** What is drawn, or why it cannot be. */
type Loaded<Properties> =
  | { readonly Part: ComponentType<Properties> }
  | { readonly cause: unknown }

/** `meanwhile`: what stands there until it comes. What cannot be loaded is thrown, as what cannot be drawn is. */
export const late = <Properties extends object>(
  load: () => Promise<ComponentType<Properties>>,
  meanwhile: ReactNode = null
): ComponentType<Properties> => {
  let known: Loaded<Properties> | null = null
  return function Late(properties) {
    const [loaded, setLoaded] = useState(known)
    useEffect(() => {
      if (loaded !== null) return undefined
      let isShown = true
      void load().then((Part) => known = { Part }, (cause: unknown) => ({ cause })).then((found) => {
        if (isShown) setLoaded(found)
      })
      return () => {
        isShown = false
      }
    }, [loaded])
    if (loaded === null) return meanwhile
    if ("cause" in loaded) throw new NotLoaded(String(loaded.cause), { cause: loaded.cause })
    return <loaded.Part {...properties} />
  }
}
