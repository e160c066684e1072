/** Changing something on the server, once at a time. */
import {
  // oxlint-disable-next-line typescript/no-restricted-imports -- it is guarded here
  useMutation as useUnguarded,
  type UseMutationOptions,
  type UseMutationResult,
  useQueryClient
} from "@tanstack/react-query"
import { useCallback, useId } from "react"

/**
 * While a call is under way, another one of the same mutation is not sent: the second click of a double click comes before
 * the button knows that it is disabled, and would make a second thing, of which the answer to the first is not shown.
 */
export const useMutation = <Data, Given = void>(
  options: Omit<UseMutationOptions<Data, Error, Given>, "mutationKey">
): UseMutationResult<Data, Error, Given> => {
  const client = useQueryClient()
  const id = useId()
  const mutation = useUnguarded({ ...options, mutationKey: [id] })
  const { mutate: send } = mutation
  const mutate = useCallback<typeof send>((...asked) => {
    if (client.isMutating({ mutationKey: [id] }) === 0) send(...asked)
  }, [client, id, send])
  return { ...mutation, mutate }
}
