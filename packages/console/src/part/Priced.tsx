/** A button for what costs credits: its price, the balance before and after, and that a refusal costs nothing. */
import { addressOf, Link } from "../app/Router.tsx"
import { stepOf, words } from "../service/Refusals.ts"
import { type Spendable, useIsAdmin, useSpendable } from "../service/Session.tsx"
import { PaidButton } from "./PaidButton.tsx"
import { number, plural } from "./Wording.ts"

export const Priced = ({ children, disabled = false, freeBecause, isPlain = false, note, onClick, price }: {
  /** What the button does. */
  readonly children: string
  readonly price: number
  /** Where it costs nothing. */
  readonly freeBecause?: string
  readonly note?: string
  readonly disabled?: boolean
  /** There is another button beside it that is the usual way. */
  readonly isPlain?: boolean
  readonly onClick: () => void
}) => {
  const spendable = useSpendable()
  const missing = Math.max(0, price - spendable.most)
  const isOfOwn = spendable.most < spendable.credits
  return (
    <div>
      <PaidButton className={isPlain ? "plain" : undefined} disabled={disabled || missing > 0} onPay={onClick}>
        {price === 0 ? `${children}, free ${freeBecause ?? ""}`.trim() : `${children} for ${number(price)} credits`}
      </PaidButton>
      {missing > 0
        ? (
          <p className="quiet">
            {isOfOwn ? "Left of your monthly limit" : "Balance"} {number(spendable.most)}:{" "}
            {plural(missing, "credit is", "credits are")} missing. <More isOfOwn={isOfOwn} />
          </p>
        )
        : price > 0 && (
          <p className="quiet">
            Balance {balanceAfter(spendable, price)}. {note ?? "Nothing is charged if it is refused."}
          </p>
        )}
    </div>
  )
}

/** The balance and what is left of a monthly limit, before and after. */
export const balanceAfter = ({ credits, ofOwn }: Spendable, price: number): string =>
  [
    `${number(credits)}, then ${number(credits - price)}`,
    ...ofOwn === null ? [] : [`left of your monthly limit ${number(ofOwn)}, then ${number(ofOwn - price)}`]
  ].join("; ")

/** Where more credits come from, or more of them may be spent. */
const More = ({ isOfOwn }: { readonly isOfOwn: boolean }) => {
  const { next, way } = stepOf(isOfOwn ? words.USER_CREDIT_LIMIT_EXCEEDED : words.INSUFFICIENT_CREDITS, useIsAdmin())
  return (
    <>
      {next} {way !== undefined && <Link to={addressOf(way.page, way.parameters)}>{way.label}</Link>}
    </>
  )
}
