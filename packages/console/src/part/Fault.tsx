/**
 * What cannot be shown takes nothing else along: a file of the app that is gone since it was renewed, or a mistake of ours. The
 * browser's console has the cause; it is sent to nobody.
 */
import { Component, type ReactNode } from "react"
import style from "./RefusalNotice.module.css"

interface Properties {
  readonly children: ReactNode
  /** What stands there instead. */
  readonly fallback: ReactNode
}

/** Shows `fallback` once anything below it cannot be loaded or drawn; with another `key` it begins anew. */
export class FaultBoundary extends Component<Properties, { readonly isFaulty: boolean }> {
  static getDerivedStateFromError() {
    return { isFaulty: true }
  }

  constructor(properties: Properties) {
    super(properties)
    this.state = { isFaulty: false }
  }

  override render() {
    return this.state.isFaulty ? this.props.fallback : this.props.children
  }
}

/** Says that it cannot be shown, and offers the app anew. */
export const FaultNotice = ({ what }: {
  /** Such as "This page". */
  readonly what: string
}) => (
  <div className={style["notice"]} role="alert">
    <p>
      <strong>{what} could not be shown.</strong>{" "}
      You may be offline, the app may have been renewed since you opened it, or something in it went wrong. What was
      saved is kept.
    </p>
    <p>
      <button onClick={() => location.reload()} type="button">Reload</button>
    </p>
  </div>
)
