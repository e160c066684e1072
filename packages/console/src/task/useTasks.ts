/** Tasks, and what is done with them: whatever shows a task is asked anew after a change. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { call, type Input, type Output } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"

export type Task = Output<"app_list_tasks">["tasks"][number]

export const useTasks = (asked: Input<"app_list_tasks">) =>
  useQuery({
    queryKey: ["tasks", asked],
    queryFn: async ({ signal }) => (await call("app_list_tasks", asked, signal)).data
  })

const useChanged = () => {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["tasks"] }),
      client.invalidateQueries({ queryKey: ["board"] })
    ])
}

export const useEndTask = () =>
  useMutation({
    mutationFn: (ended: Input<"app_end_task">) => call("app_end_task", ended),
    onSettled: useChanged()
  })

/** A new task about a property, or an open one written anew. */
export type Wanted =
  | { readonly kind: "new"; readonly input: Input<"app_add_task"> }
  | { readonly kind: "edit"; readonly input: Input<"app_edit_task"> }

export const useSaveTask = () =>
  useMutation({
    mutationFn: async (wanted: Wanted) =>
      wanted.kind === "new"
        ? (await call("app_add_task", wanted.input)).data
        : (await call("app_edit_task", wanted.input)).data,
    onSettled: useChanged()
  })
