/**
 * What cannot be shown takes nothing else along: a file of the app that is gone since it was renewed, or a mistake of ours. The
 * browser's console has the cause; it is sent to nobody.
 */
import { Component, createContext, type ReactNode, useContext, useEffect, useState } from "react"
import style from "./RefusalNotice.module.css"
import { type Standing, standingOfFiles } from "./Renewal.ts"

/** A part of the app whose file did not come. */
export class NotLoaded extends Error {}

const Cause = createContext<unknown>(null)

interface Properties {
  readonly children: ReactNode
  /** What stands there instead. */
  readonly fallback: ReactNode
}

/** Shows `fallback` once anything below it cannot be loaded or drawn; with another `key` it begins anew. */
export class FaultBoundary extends Component<Properties, { readonly fault: { readonly cause: unknown } | null }> {
  static getDerivedStateFromError(cause: unknown) {
    return { fault: { cause } }
  }

  constructor(properties: Properties) {
    super(properties)
    this.state = { fault: null }
  }

  override render() {
    const { fault } = this.state
    return fault === null
      ? this.props.children
      : <Cause.Provider value={fault.cause}>{this.props.fallback}</Cause.Provider>
  }
}

/** How the files of the app stand; null: it is being looked at. */
export const useStanding = (): Standing | null => {
  const [standing, setStanding] = useState<Standing | null>(null)
  useEffect(() => {
    let isShown = true
    void standingOfFiles().then((found) => {
      if (isShown) setStanding(found)
    })
    return () => {
      isShown = false
    }
  }, [])
  return standing
}

/** What happened, and what is to be done about it. */
const reasonOf = (standing: Standing, isLoaded: boolean): string => {
  switch (standing) {
    case "renewed":
      return "Freehold was renewed since you opened this tab. Reload it to go on."
    case "away":
      return "Freehold cannot be reached: you may be offline. Reload once you are not."
    case "whole":
      return isLoaded
        ? "Something in it went wrong, and the browser’s console has what. Reload to try it once more."
        : "A file of it did not arrive. Reload to ask for it once more."
  }
}

/** Says that it cannot be shown and why, and offers the app anew. */
export const FaultNotice = ({ standing, what }: {
  /** Such as "This page". */
  readonly what: string
  readonly standing: Standing | null
}) => {
  const cause = useContext(Cause)
  return (
    <div className={style["notice"]} role="alert">
      <p>
        <strong>{what} could not be shown.</strong>{" "}
        {standing !== null && `${reasonOf(standing, !(cause instanceof NotLoaded))} What was saved is kept.`}
      </p>
      <p>
        <button onClick={() => location.reload()} type="button">Reload</button>
      </p>
    </div>
  )
}

/** The same beside or above what can be shown, which stays. */
export const FaultyPart = ({ what }: { readonly what: string }) => <FaultNotice standing={useStanding()} what={what} />
