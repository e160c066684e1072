/** A button for what costs credits: its price, the balance before and after, and that a refusal costs nothing. */
import { addressOf, Link } from "../app/Router.tsx"
import { stepOf, words } from "../service/Refusals.ts"
import { useIsAdmin, useSession } from "../service/Session.tsx"
import { PaidButton } from "./PaidButton.tsx"
import { number, plural } from "./Wording.ts"

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
  const missing = Math.max(0, price - credits)
  return (
    <div>
      <PaidButton disabled={disabled || missing > 0} onPay={onClick}>
        {price === 0 ? `${children}, free ${freeBecause ?? ""}`.trim() : `${children} for ${number(price)} credits`}
      </PaidButton>
      {missing > 0
        ? (
          <p className="quiet">
            Balance {number(credits)}: {plural(missing, "credit is", "credits are")} missing. <More />
          </p>
        )
        : price > 0 && (
          <p className="quiet">
            Balance {number(credits)}, then {number(credits - price)}. {note ?? "Nothing is charged if it is refused."}
          </p>
        )}
    </div>
  )
}

/** Where more credits come from. */
const More = () => {
  const { next, way } = stepOf(words.INSUFFICIENT_CREDITS, useIsAdmin())
  return (
    <>
      {next} {way !== undefined && <Link to={addressOf(way.page, way.parameters)}>{way.label}</Link>}
    </>
  )
}
