/** The board of the server, a page of every column at a time, and its changes: shown at once, told by the server. */
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  // oxlint-disable-next-line typescript/no-restricted-imports -- moves wait for each other, and all of them are sent
  useMutation,
  useQueryClient
} from "@tanstack/react-query"
import { useRef } from "react"
import { leadChanged } from "../part/Standing.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { sessionKey } from "../service/Session.tsx"
import type { Move } from "./MoveDialog.tsx"
import type { Board, Card, Column } from "./Stages.ts"

const pageSize = 50

const key = (mine: boolean) => ["board", mine]

/** The columns with the cards of all pages so far. */
const columnsOf = (pages: ReadonlyArray<Board>): ReadonlyArray<Column> =>
  pages.at(-1)?.stages.map((column) => ({
    ...column,
    leads: pages.flatMap(({ stages }) => stages.find(({ status }) => status === column.status)?.leads ?? [])
  })) ?? []

export const useBoard = (mine: boolean) => {
  const query = useInfiniteQuery({
    queryKey: key(mine),
    queryFn: async ({ pageParam, signal }) =>
      (await call("app_get_board", { mine, limit: pageSize, offset: pageParam }, signal)).data,
    initialPageParam: 0,
    getNextPageParam: ({ stages }, pages) => {
      const next = pages.length * pageSize
      return stages.some(({ total }) => total > next) ? next : null
    }
  })
  const known = knownOf(query)
  return { ...query, columns: columnsOf(known?.pages ?? []), isKnown: known !== undefined }
}

export interface CardMove extends Move {
  readonly card: Card
  /** Called once the lead is there. */
  readonly sent?: () => void
}

type Pages = InfiniteData<Board, number>

/** The board with the card in its new place, as it will be if the server agrees. */
const moved = (data: Pages, { asked, card, to }: CardMove): Pages => {
  const value = asked.deal_value ?? card.deal_value
  const change = (column: Column, isFirst: boolean): Column => {
    const worth = (sum: number | null) => column.deal_value + (sum ?? 0)
    if (column.status === card.status) {
      return {
        ...column,
        total: column.total - 1,
        deal_value: worth(-(card.deal_value ?? 0)),
        leads: column.leads.filter(({ property_id }) => property_id !== card.property_id)
      }
    }
    if (column.status !== to) return column
    const placed = { ...card, status: to, deal_value: value, status_changed_at: new Date().toISOString() }
    return {
      ...column,
      total: column.total + 1,
      deal_value: worth(value),
      leads: isFirst ? [placed, ...column.leads] : column.leads
    }
  }
  return {
    ...data,
    pages: data.pages.map(({ stages }, index) => ({ stages: stages.map((column) => change(column, index === 0)) }))
  }
}

/** Changes of the board are sent one after another. */
const inTurn = { mutationKey: ["change of the board"], scope: { id: "board" } }

/** How many changes of the board are under way. */
const underWay = (client: QueryClient): number => client.isMutating({ mutationKey: inTurn.mutationKey })

/** Reads the board anew, after the last of the changes that are under way. */
const readAfter = (client: QueryClient) => underWay(client) > 1 ? null : leadChanged(client)

/** What versions of leads became by moves that were made here, by property and version. */
type Successors = Map<string, number>

const placeOf = (propertyId: string, version: number): string => `${propertyId} ${version}`

const latest = (successors: Successors, propertyId: string, version: number): number => {
  const next = successors.get(placeOf(propertyId, version))
  return next === undefined ? version : latest(successors, propertyId, next)
}

/** The lead as it is after a move. */
export type Moved = Output<"app_move_lead">

/**
 * A lead may be moved again before the server has answered: its own moves are nobody else's change. `onBegin` is told whether it is the
 * only change under way; what came of each move is told of by itself, however many were begun meanwhile.
 */
export const useMove = ({ mine, onBegin, onMoved, onRefused }: {
  readonly mine: boolean
  readonly onBegin: (move: CardMove, isAlone: boolean) => void
  readonly onMoved: (move: CardMove, lead: Moved) => void
  readonly onRefused: (move: CardMove, error: Error) => void
}) => {
  const client = useQueryClient()
  const successors = useRef<Successors>(new Map())
  return useMutation({
    ...inTurn,
    mutationFn: async ({ asked, card: { property_id, version: seen }, to }: CardMove) => {
      const version = latest(successors.current, property_id, seen)
      const { data } = await call("app_move_lead", { property_id, version, status: to, ...asked })
      successors.current.set(placeOf(property_id, version), data.version)
      return data
    },
    onMutate: async (move) => {
      onBegin(move, underWay(client) < 2)
      await client.cancelQueries({ queryKey: key(mine) })
      client.setQueryData<Pages>(key(mine), (data) => data === undefined ? data : moved(data, move))
    },
    onSuccess: (lead, move) => onMoved(move, lead),
    onSettled: (_, error, move) => {
      if (error !== null) {
        onRefused(move, error)
        // What refuses a move may be a setting of the organization that is another one by now.
        void client.invalidateQueries({ queryKey: sessionKey })
      }
      return readAfter(client)
    }
  })
}

export const useUndo = () => {
  const client = useQueryClient()
  return useMutation({
    ...inTurn,
    mutationFn: async ({ property_id, version }: Pick<Card, "property_id" | "version">) =>
      (await call("app_undo_move", { property_id, version })).data,
    onSettled: () => readAfter(client)
  })
}
