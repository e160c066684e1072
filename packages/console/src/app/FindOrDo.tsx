/** The button, and the keys, that open `Command`. */
import { useEffect, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { FaultBoundary, FaultyPart } from "../part/Fault.tsx"
import { late } from "../part/Late.tsx"

const Command = late(async () => (await import("./Command.tsx")).Command)

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
      {isOpen && (
        <FaultBoundary
          fallback={
            <Dialog onClose={() => setOpen(false)} title="Find or do">
              <FaultyPart what="This" />
            </Dialog>
          }
        >
          <Command onClose={() => setOpen(false)} />
        </FaultBoundary>
      )}
    </>
  )
}
