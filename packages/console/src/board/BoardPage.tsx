/** The pipeline as a board: moved by mouse, by keys, or by each card's button; what was moved is said and can be taken back. */
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dollars, plural } from "../part/Wording.ts"
import { useSession } from "../service/Session.tsx"
import style from "./Board.module.css"
import { LeadDialog } from "./LeadDialog.tsx"
import { isAsking, MoveDialog } from "./MoveDialog.tsx"
import { type CardActions, StageColumn } from "./StageColumn.tsx"
import { type Card, isEnded, nameOf, type Stage, stageOf } from "./Stages.ts"
import { UndoBar } from "./UndoBar.tsx"
import { type CardMove, useBoard, useMove, useUndo } from "./useBoard.ts"
import { useDrag } from "./useDrag.ts"

/** What a dialog is open for. */
type Asking =
  | { readonly kind: "move"; readonly card: Card; readonly to: Stage | null }
  | { readonly kind: "lead"; readonly card: Card }

interface Said {
  readonly text: string
  /** What can be taken back; null: nothing. */
  readonly lead: Pick<Card, "property_id" | "version"> | null
}

/** A move that was refused. */
interface Refusal {
  readonly card: Card
  readonly error: Error
}

const isOf = ({ property_id }: Pick<Card, "property_id">) => ({ card }: Refusal): boolean =>
  card.property_id === property_id

/** Selects a card in the column of a stage. */
const cardIn = (stage: Stage, { property_id }: Pick<Card, "property_id">): string =>
  `[data-stage="${CSS.escape(stage)}"] [data-property="${CSS.escape(property_id)}"]`

const isTyping = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("input, select, textarea, dialog") !== null

export const BoardPage = ({ search }: { readonly search: URLSearchParams }) => {
  const mine = search.get("mine") === "yes"
  const { member, organization } = useSession()
  const board = useBoard(mine)
  const undo = useUndo()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [said, setSaid] = useState<Said | null>(null)
  /** Of the moves that were begun together, the last of each card. */
  const [refusals, setRefusals] = useState<ReadonlyArray<Refusal>>([])
  const container = useRef<HTMLDivElement>(null)
  /** The card that has the focus once it is in its new place. */
  const wanted = useRef<string | null>(null)
  const isReadOnly = member.role === "read_only"
  const { columns } = board

  useEffect(() => {
    if (wanted.current === null || asking !== null) return
    const card = container.current?.querySelector<HTMLElement>(wanted.current)
    if (card === null || card === undefined) return
    card.focus()
    wanted.current = null
  })

  const targetsOf = useCallback(
    (card: Card) => columns.find(({ status }) => status === card.status)?.targets ?? [],
    [columns]
  )
  const { mutate } = useMove({
    mine,
    onBegin: ({ card }, isAlone) => setRefusals((before) => isAlone ? [] : before.filter((each) => !isOf(card)(each))),
    onMoved: ({ card, sent, to }, lead) => {
      sent?.()
      setSaid({ text: `${nameOf(card)} moved to ${stageOf(to)}.`, lead })
    },
    onRefused: ({ card, to }, error) => {
      if (wanted.current === cardIn(to, card)) wanted.current = null
      setSaid((before) => before?.lead?.property_id === card.property_id ? null : before)
      setRefusals((before) => [...before.filter((each) => !isOf(card)(each)), { card, error }])
    }
  })
  const begin = useCallback((move: CardMove) => {
    wanted.current = cardIn(move.to, move.card)
    setAsking(null)
    mutate(move)
  }, [mutate])
  const moveTo = useCallback((card: Card, to: Stage) => {
    if (isAsking(to, card)) setAsking({ kind: "move", card, to })
    else begin({ card, to, asked: {} })
  }, [begin])
  const { dragging, start } = useDrag({ onDrop: moveTo, targetsOf })
  const takeBack = () => {
    if (said === null || said.lead === null) return
    undo.mutate(said.lead, {
      onSuccess: (lead) => {
        wanted.current = cardIn(lead.status, lead)
        setSaid({ text: `Taken back: it is in ${stageOf(lead.status)} again.`, lead: null })
      },
      onError: () => setSaid(null)
    })
  }
  const endSaying = useCallback(() => setSaid(null), [])

  const step = (card: Card, by: 1 | -1): void => {
    const order = columns.map(({ status }) => status)
    const targets = targetsOf(card)
    const ahead = order.filter((_, index) => (index - order.indexOf(card.status)) * by > 0)
    const next = (by === 1 ? ahead : ahead.toReversed()).find((stage) => targets.includes(stage))
    if (next === undefined) {
      setSaid({
        text: `${nameOf(card)} can go no further ${by === 1 ? "right" : "left"} from ${stageOf(card.status)}.`,
        lead: null
      })
    } else moveTo(card, next)
  }
  const onKey = (card: Card, event: KeyboardEvent<HTMLElement>): void => {
    if (isReadOnly || event.target !== event.currentTarget) return
    const isAlone = !event.ctrlKey && !event.metaKey
    if (event.altKey && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      event.preventDefault()
      step(card, event.key === "ArrowRight" ? 1 : -1)
    } else if (event.key === "m" && isAlone && targetsOf(card).length > 0) {
      event.preventDefault()
      setAsking({ kind: "move", card, to: null })
    }
  }

  const now = useRef({ onKey, start })
  useEffect(() => {
    now.current = { onKey, start }
  })
  const [actions] = useState<CardActions>(() => ({
    onKey: (card, event) => now.current.onKey(card, event),
    onPress: (card) => (event) => now.current.start(card)(event),
    onMove: (card) => setAsking({ kind: "move", card, to: null }),
    onShow: (card) => setAsking({ kind: "lead", card })
  }))

  const total = columns.reduce((sum, column) => sum + column.total, 0)
  const live = columns.filter(({ status }) => !isEnded(status))
  const isMovable = !isReadOnly && columns.some(({ targets, total }) => total > 0 && targets.length > 0)
  return (
    <main
      id="main"
      className={style["page"]}
      onKeyDown={(event) => {
        if (event.key === "u" && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) takeBack()
      }}
    >
      <div className={style["top"]}>
        <h1 tabIndex={-1}>Pipeline</h1>
        <label>
          Whose
          <select
            onChange={(event) =>
              navigate(
                addressOf("pipeline", {}, new URLSearchParams(event.target.value === "mine" ? { mine: "yes" } : {})),
                { replace: true }
              )}
            value={mine ? "mine" : "team"}
          >
            <option value="team">The team's</option>
            <option value="mine">Mine</option>
          </select>
        </label>
        {board.isKnown && (
          <p className={style["sum"]}>
            {plural(live.reduce((sum, column) => sum + column.total, 0), "lead", "leads")} ·{" "}
            {dollars(live.reduce((sum, column) => sum + column.deal_value, 0))}, without those lost or disqualified
          </p>
        )}
      </div>
      {organization.crm_mode === "external" && (
        <p className={style["notice"]}>
          Your CRM owns the stages: leads are moved there. Here they can be qualified and disqualified.
        </p>
      )}
      {isMovable && (
        <p className={`${style["quiet"]} ${style["keys"]}`} id="board-keys">
          Drag a card, or with the card focused: <kbd>Alt</kbd> and an arrow key moves it, <kbd>M</kbd> asks where to,
          {" "}
          <kbd>U</kbd> takes the last move back.
        </p>
      )}
      {board.error !== null && <RefusalNotice error={board.error} />}
      {refusals.map(({ card, error }) => (
        <div key={card.property_id}>
          <RefusalNotice error={error} />
          <p>It is about {nameOf(card)}.</p>
        </div>
      ))}
      {undo.error !== null && <RefusalNotice error={undo.error} />}
      {board.isPending && <p role="status">One moment…</p>}
      {board.isKnown && total === 0 && (
        <p>
          {mine ? "No lead is yours yet." : "No leads yet."} Open a property from the{" "}
          <Link to={addressOf("search")}>search</Link>, and qualify it.
        </p>
      )}
      <div className={style["board"]} ref={container}>
        {columns.map((column) => (
          <StageColumn
            actions={actions}
            column={column}
            dragged={dragging?.card.property_id ?? null}
            isOver={dragging?.over === column.status}
            isReadOnly={isReadOnly}
            key={column.status}
            more={board}
          />
        ))}
      </div>
      {dragging !== null && (
        <div aria-hidden className={style["ghost"]} style={{ left: dragging.x, top: dragging.y }}>
          {nameOf(dragging.card)}
        </div>
      )}
      {asking?.kind === "move" && (
        <MoveDialog
          card={asking.card}
          key={asking.card.property_id}
          onClose={() => setAsking(null)}
          onMove={(wish, sent) => begin({ ...wish, card: asking.card, sent })}
          targets={targetsOf(asking.card)}
          to={asking.to}
        />
      )}
      {asking?.kind === "lead" && <LeadDialog card={asking.card} onClose={() => setAsking(null)} />}
      <UndoBar
        onEnd={endSaying}
        onUndo={said?.lead === null || said === null ? null : takeBack}
        said={said?.text ?? null}
      />
    </main>
  )
}
