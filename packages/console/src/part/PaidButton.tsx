/**
 * A button that spends credits. One intention is one charge: the second click of a double click and a key that is held down
 * mean no second one, though the first may have been answered by then.
 */
import type { KeyboardEvent, MouseEvent, ReactNode } from "react"

/** `detail` counts the clicks that follow each other closely at the same place; by the keyboard it is 0. */
const isAgain = ({ detail }: MouseEvent): boolean => detail > 1

const ignoreHeld = (event: KeyboardEvent): void => {
  if (event.key === "Enter" && event.repeat) event.preventDefault()
}

export const PaidButton = ({ children, className, disabled, onPay }: {
  readonly children: ReactNode
  readonly className?: string | undefined
  readonly disabled: boolean
  readonly onPay: () => void
}) => (
  <button
    className={className}
    disabled={disabled}
    onClick={(event) => {
      if (!isAgain(event)) onPay()
    }}
    onKeyDown={ignoreHeld}
    type="button"
  >
    {children}
  </button>
)
