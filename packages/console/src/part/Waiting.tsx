/** What stands where an answer will: that it is being asked for, or why it is not there. */
import { RefusalNotice } from "./RefusalNotice.tsx"

export const Waiting = ({ error, says = "One moment…" }: {
  readonly error: Error | null
  readonly says?: string
}) => error === null ? <p role="status">{says}</p> : <RefusalNotice error={error} />
