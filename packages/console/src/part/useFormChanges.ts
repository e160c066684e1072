/**
 * What somebody changed in a form: that alone is sent. What they left as it was may be another by now, as somebody else made it, and
 * stays so.
 */
import { useState } from "react"

/** The fields that are not what they were. */
export const changedOf = <Fields extends object>(before: Fields, now: Fields): Partial<Fields> => {
  const changed: Partial<Fields> = {}
  for (const field in now) {
    if (JSON.stringify(before[field]) !== JSON.stringify(now[field])) changed[field] = now[field]
  }
  return changed
}

/** What the fields of a form began with, and hold by what was saved since: what is told anew meanwhile is not what they show. */
export const useFormChanges = <Fields extends object>(opened: Fields) => {
  const [before, setBefore] = useState(opened)
  return {
    before,
    changed: (now: Fields) => changedOf(before, now),
    saved: (now: Partial<Fields>) => setBefore((earlier) => ({ ...earlier, ...now }))
  }
}
