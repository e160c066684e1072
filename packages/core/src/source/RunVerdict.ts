/** Whether a run may do what it would do, or has to ask first. */
import type { SourceDocument } from "./SourceDocument.ts"
import type { RunPlan } from "./Sources.ts"

const retiredShare = 0.1
const changedShare = 0.5

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** Why it has to ask; undefined: it may go on. The first run of a source changes and retires nothing. */
export const objection = ({ limits = {} }: SourceDocument, { different, gone, known }: RunPlan): string | undefined => {
  if (known === 0) return undefined
  const { changed = changedShare, retired = retiredShare } = limits
  const over = (count: number, share: number, what: string) =>
    count > share * known
      ? `${count} of ${known} records would ${what} (${percent(count / known)}), more than ${percent(share)}`
      : undefined
  return over(gone, retired, "be retired") ?? over(different, changed, "change")
}
