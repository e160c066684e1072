/** A button for what costs credits: its price, the balance before and after, and that a refusal costs nothing. */
import { useSession } from "../service/Session.tsx"
import { number } from "./Wording.ts"

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
      <button disabled={disabled} onClick={onClick} type="button">
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
