/**
 * Dragging a card by mouse or pen, with pointer events. Fingers scroll; for them, as for everybody, the card's button moves it.
 *
 * The board finds what lies below the pointer by the attribute `data-stage` of columns.
 */
import { type PointerEvent as ReactPointerEvent, useEffect, useState } from "react"
import type { Card, Stage } from "./Stages.ts"

interface Drag {
  readonly card: Card
  readonly startX: number
  readonly startY: number
  readonly x: number
  readonly y: number
  /** Below it, when it may be dropped there. */
  readonly over: Stage | null
}

/** A press that moves less than this is a click. */
const threshold = 6

const stageAt = (x: number, y: number): string | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-stage]")?.dataset["stage"] ?? null

/** `targetsOf`: where a card may be dropped. */
export const useDrag = (
  { onDrop, targetsOf }: {
    readonly onDrop: (card: Card, to: Stage) => void
    readonly targetsOf: (card: Card) => ReadonlyArray<Stage>
  }
) => {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isMoving = drag !== null && Math.hypot(drag.x - drag.startX, drag.y - drag.startY) > threshold
  useEffect(() => {
    if (drag === null) return
    const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      const stage = stageAt(x, y)
      setDrag({ ...drag, x, y, over: targetsOf(drag.card).find((each) => each === stage) ?? null })
    }
    const onUp = () => {
      setDrag(null)
      if (isMoving && drag.over !== null) onDrop(drag.card, drag.over)
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") setDrag(null)
    }
    const gone = new AbortController()
    const options = { signal: gone.signal }
    window.addEventListener("pointermove", onMove, options)
    window.addEventListener("pointerup", onUp, options)
    window.addEventListener("pointercancel", () => setDrag(null), options)
    window.addEventListener("keydown", onKey, options)
    return () => gone.abort()
  }, [drag, isMoving, onDrop, targetsOf])
  const start = (card: Card) => ({ button, clientX: x, clientY: y, pointerType, target }: ReactPointerEvent) => {
    const isControl = target instanceof Element && target.closest("a, button") !== null
    if (button !== 0 || pointerType === "touch" || isControl) return
    setDrag({ card, startX: x, startY: y, x, y, over: null })
  }
  return { dragging: isMoving ? drag : null, start }
}
