/** Tasks, and what is done with them: whatever shows a task is asked anew after a change. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { firstPage, nextPage } from "../part/ShowMore.tsx"
import { call, type Input, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useMutation } from "../service/useMutation.ts"

export type Task = Output<"app_list_tasks">["tasks"][number]

/** The first of them. */
export const useTasks = (asked: Input<"app_list_tasks">) => {
  const { data, error } = useQuery({
    queryKey: ["tasks", asked],
    queryFn: async ({ signal }) => (await call("app_list_tasks", asked, signal)).data
  })
  return { data: knownOf({ data, error }), error }
}

/** All of them, page by page. */
export const useAllTasks = (asked: Input<"app_list_tasks">) =>
  useInfiniteQuery({
    queryKey: ["tasks", "page", asked],
    queryFn: async ({ pageParam, signal }) => (await call("app_list_tasks", { ...asked, ...pageParam }, signal)).data,
    initialPageParam: firstPage,
    getNextPageParam: nextPage
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

/** A new task about properties, or what is another in an open one. */
export type Wanted =
  | {
    readonly kind: "new"
    /** One for each of them. */
    readonly properties: ReadonlyArray<string>
    readonly input: Omit<Input<"app_add_task">, "property_id">
  }
  | { readonly kind: "edit"; readonly input: Input<"app_edit_task"> }

export const useSaveTask = () => {
  /** Who has theirs is passed over when it is tried again. */
  const added = useRef(new Set<string>())
  const [reached, setReached] = useState(0)
  const save = useMutation({
    mutationFn: async (wanted: Wanted) => {
      if (wanted.kind === "edit") {
        await call("app_edit_task", wanted.input)
        return
      }
      for (const property_id of wanted.properties) {
        if (added.current.has(property_id)) continue
        await call("app_add_task", { ...wanted.input, property_id })
        added.current.add(property_id)
        setReached(added.current.size)
      }
    },
    onSettled: useChanged()
  })
  return { ...save, reached }
}
