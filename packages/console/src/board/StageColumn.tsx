/** A stage of the board: how many leads, what they are worth, and their cards. */
import { type KeyboardEvent, memo, type PointerEventHandler } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { ageOf, dueIn, isDue } from "../part/Moment.ts"
import { type Paged, ShowMore } from "../part/ShowMore.tsx"
import { dollars, joined, number, plural } from "../part/Wording.ts"
import style from "./Board.module.css"
import { type Card, type Column, nameOf, stageOf } from "./Stages.ts"

/** The same ones for as long as the board is shown. */
export interface CardActions {
  readonly onKey: (card: Card, event: KeyboardEvent<HTMLElement>) => void
  readonly onPress: (card: Card) => PointerEventHandler
  readonly onMove: (card: Card) => void
  readonly onShow: (card: Card) => void
}

export const StageColumn = ({ actions, column, dragged, isOver, isReadOnly, more }: {
  readonly column: Column
  readonly actions: CardActions
  /** The property of the card that is being dragged. */
  readonly dragged: string | null
  readonly isOver: boolean
  readonly isReadOnly: boolean
  /** How more of all columns are read. */
  readonly more: Omit<Paged, "hasNextPage">
}) => {
  const { deal_value, leads, status, targets, total } = column
  return (
    <section aria-label={stageOf(status)} className={style["column"]} data-over={isOver} data-stage={status}>
      <header>
        <h2>{stageOf(status)}</h2>
        <p>{plural(total, "lead", "leads")} · {dollars(deal_value)}</p>
      </header>
      <ul>
        {leads.map((card) => (
          <li key={card.property_id}>
            <LeadCard
              actions={actions}
              canMove={!isReadOnly && targets.length > 0}
              card={card}
              isDragged={dragged === card.property_id}
            />
          </li>
        ))}
      </ul>
      {total === 0 && <p className={style["empty"]}>No leads</p>}
      <ShowMore
        label={`Show more of ${number(total - leads.length)}`}
        of={{ ...more, hasNextPage: leads.length < total }}
      />
    </section>
  )
}

/** Drawn anew only when it changes: a board has thousands. */
const LeadCard = memo(({ actions: { onKey, onMove, onPress, onShow }, canMove, card, isDragged }: {
  readonly card: Card
  readonly actions: CardActions
  readonly isDragged: boolean
  /** There is a stage where it may go, and somebody who may move it. */
  readonly canMove: boolean
}) => {
  const { city, deal_value, next_task, owner, property_id, state, status_changed_at } = card
  const name = nameOf(card)
  return (
    <div
      aria-describedby={canMove ? "board-keys" : undefined}
      aria-label={name}
      className={style["card"]}
      data-dragged={isDragged}
      data-property={property_id}
      onKeyDown={(event) => onKey(card, event)}
      onPointerDown={canMove ? onPress(card) : undefined}
      role="group"
      tabIndex={0}
    >
      <Link draggable={false} to={addressOf("property", { id: property_id })}>{name}</Link>
      <p className={style["quiet"]}>{joined([city, state])}</p>
      <p>{joined([deal_value === null ? null : dollars(deal_value), owner?.name ?? "nobody's"], " · ")}</p>
      <p className={style["quiet"]}>In this stage: {ageOf(status_changed_at)}</p>
      {next_task !== null && (
        <p className={style["task"]} data-due={next_task.due_at !== null && isDue(next_task.due_at)}>
          {joined([next_task.title, next_task.due_at === null ? null : dueIn(next_task.due_at)], ": ")}
        </p>
      )}
      <div className={style["buttons"]}>
        {canMove && (
          <button
            aria-label={`Move to…: ${name}`}
            className="plain"
            onClick={() => onMove(card)}
            type="button"
          >
            Move to…
          </button>
        )}
        <button
          aria-label={`History and owner of ${name}`}
          className="plain"
          onClick={() => onShow(card)}
          type="button"
        >
          History
        </button>
      </div>
    </div>
  )
})
