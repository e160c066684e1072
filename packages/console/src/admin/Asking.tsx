/** What the pages of admins have in common: asking for something, and changing it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call, type Input, type OperationName, type Output } from "../service/Call.ts"

/** Everything that admins ask for begins with this word, so that a change makes all of it old. */
const room = "admin"

export const useAsked = <const Name extends OperationName>(name: Name, input: Input<Name>) =>
  useQuery({
    queryKey: [room, name, input],
    queryFn: async ({ signal }) => (await call(name, input, signal)).data
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
export const Answered = <const Name extends OperationName>({ asked: { data, error }, children }: {
  readonly asked: { readonly data: Output<Name> | undefined; readonly error: Error | null }
  readonly children: (data: Output<Name>) => ReactNode
}) => {
  if (error !== null) return <RefusalNotice error={error} />
  return data === undefined ? <p role="status">One moment…</p> : children(data)
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

/** A button that asks once more before it does what cannot be undone. */
export const Confirmed = ({ disabled, label, onConfirm, question }: {
  readonly label: string
  readonly question: string
  readonly disabled: boolean
  readonly onConfirm: () => void
}) => {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <button className="plain" disabled={disabled} onClick={() => setAsking(true)} type="button">
        {label}
      </button>
    )
  }
  return (
    <span className={page["buttons"]}>
      <span>{question}</span>
      <button
        autoFocus
        disabled={disabled}
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
        type="button"
      >
        {label}
      </button>
      <button className="plain" onClick={() => setAsking(false)} type="button">Keep</button>
    </span>
  )
}
