/** The button, and the keys, that open a field which keeps whatever is typed until what it finds can be shown. */
import { type KeyboardEvent as KeyPress, useEffect, useRef, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { FaultBoundary, FaultyPart } from "../part/Fault.tsx"
import { late } from "../part/Late.tsx"
import style from "./FindOrDo.module.css"

const Command = late(async () => (await import("./Command.tsx")).Command)

const Finder = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  /** How often Enter was pressed since: the first that is found is chosen as soon as it is. */
  const [entered, setEntered] = useState(0)
  const stops = useRef<HTMLDivElement>(null)
  const move = (event: KeyPress) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = Array.from(stops.current?.querySelectorAll<HTMLElement>("input, a, button") ?? [])
    const at = all.findIndex((stop) => stop === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <Dialog onClose={onClose} title="Find or do">
      <div className={style["finder"]} onKeyDown={move} ref={stops}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setEntered(entered + 1)
          }}
        >
          <input
            aria-label="A page, an action, an address, a key, a person, a firm or a list"
            onChange={(event) => {
              setText(event.target.value)
              setEntered(0)
            }}
            placeholder="A page, an action, an address, a person, a firm, a list"
            type="search"
            value={text}
          />
        </form>
        <FaultBoundary fallback={<FaultyPart what="This" />}>
          <Command entered={entered} onClose={onClose} text={text} />
        </FaultBoundary>
        <p className="quiet">Arrow keys move, Enter opens, Escape closes.</p>
      </div>
    </Dialog>
  )
}

export const FindOrDo = () => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener("keydown", open)
    return () => window.removeEventListener("keydown", open)
  }, [])
  return (
    <>
      <button aria-keyshortcuts="Control+K Meta+K" className="plain" onClick={() => setOpen(true)} type="button">
        Find or do… <span className="quiet">Ctrl K</span>
      </button>
      {isOpen && <Finder onClose={() => setOpen(false)} />}
    </>
  )
}
