/**
 * A button for what costs credits: its price, the balance before and after, and that a refusal costs nothing.
 *
 * One intention is one charge: the second click of a double click and a key that is held down mean no second one.
 */
import type { KeyboardEvent, MouseEvent } from "react"
import { useSession } from "../service/Session.tsx"
import { number } from "./Wording.ts"

/** `detail` counts the clicks that follow each other closely at the same place; by the keyboard it is 0. */
const isAgain = ({ detail }: MouseEvent): boolean => detail > 1

const ignoreHeld = (event: KeyboardEvent): void => {
  if (event.key === "Enter" && event.repeat) event.preventDefault()
}

export const Priced = ({ children, disabled = false, freeBecause, note, onClick, price }: {
  /** What the button does. */
  readonly children: string
  readonly price: number
  /** Where it costs nothing. */
  readonly freeBecause?: string
  readonly note?: string
  readonly disabled?: boolean
  readonly onClick: () => void
}) => {
  const { credits } = useSession()
  return (
    <div>
      <button
        disabled={disabled}
        onClick={(event) => {
          if (!isAgain(event)) onClick()
        }}
        onKeyDown={ignoreHeld}
        type="button"
      >
        {price === 0 ? `${children}, free ${freeBecause ?? ""}`.trim() : `${children} for ${number(price)} credits`}
      </button>
      {price > 0 && (
        <p className="quiet">
          Balance {number(credits)}, then {number(credits - price)}. {note ?? "Nothing is charged if it is refused."}
        </p>
      )}
    </div>
  )
}
