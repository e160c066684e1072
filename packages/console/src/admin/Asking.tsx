/** What the pages of admins have in common: asking for something, and changing it. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { type CursorPage, firstPage, nextPage } from "../part/ShowMore.tsx"
import { call, type Input, type OperationName, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useMutation } from "../service/useMutation.ts"

/** Everything that admins ask for begins with this word, so that a change makes all of it old. */
const room = "admin"

/** How often what goes on is asked for. */
const pollMillis = 2000

export const useAsked = <const Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { isUnderWay, ...options }: {
    readonly refetchOnMount?: "always"
    /** Whether what was answered goes on, and is asked for again and again. */
    readonly isUnderWay?: (data: Output<Name>) => boolean
  } = {}
) =>
  useQuery({
    queryKey: [room, name, input],
    queryFn: async ({ signal }) => (await call(name, input, signal)).data,
    refetchInterval: ({ state: { data } }) => data !== undefined && isUnderWay?.(data) === true ? pollMillis : false,
    ...options
  })

/** The same of a list that is read by cursor, page by page; `about`: the operation and what it is asked for. */
export const usePaged = <Data extends { readonly next_cursor: string | null }>(
  about: ReadonlyArray<unknown>,
  ask: (page: CursorPage, signal: AbortSignal) => Promise<{ readonly data: Data }>
) =>
  useInfiniteQuery({
    queryKey: [room, ...about],
    queryFn: async ({ pageParam, signal }) => (await ask(pageParam, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage
  })

/** Calls an operation that changes something; what admins look at is asked for anew. */
export const useChange = <const Name extends OperationName>(name: Name) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input<Name>) => (await call(name, input)).data,
    onSuccess: () => client.invalidateQueries({ queryKey: [room] })
  })
}

/** The answer once it is there; until then that it is being asked for, or why it is not. */
export const Answered = <const Name extends OperationName>({ asked, children }: {
  readonly asked: { readonly data: Output<Name> | undefined; readonly error: Error | null }
  readonly children: (data: Output<Name>) => ReactNode
}) => {
  const { error } = asked
  const data = knownOf(asked)
  return (
    <>
      {error !== null && <RefusalNotice error={error} />}
      {data === undefined ? error === null && <p role="status">One moment…</p> : children(data)}
    </>
  )
}

/** A button that changes something at once. */
export const Act = <Given extends object>({ about, change: { isPending, mutate }, children, input }: {
  readonly change: { readonly isPending: boolean; readonly mutate: (input: Given) => void }
  readonly input: NoInfer<Given>
  /** What the button is called. */
  readonly children: string
  /** What it is about, where several of them are called the same. */
  readonly about?: string
}) => (
  <button
    aria-label={about === undefined ? undefined : `${children} ${about}`}
    className="plain"
    disabled={isPending}
    onClick={() => mutate(input)}
    type="button"
  >
    {children}
  </button>
)
