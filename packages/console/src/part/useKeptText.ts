/**
 * A text that is typed, and kept until it is sent: neither the end of a session takes it, nor a reload, nor a look at another page. Signing
 * out forgets it, and so does anybody else who signs in.
 */
import { useSyncExternalStore } from "react"
import { keepText, keyOf, onTexts, textOf } from "../service/KeptTexts.ts"
import { nameOf, useSession } from "../service/Session.tsx"

export interface KeptText {
  readonly text: string
  /** Something else was typed than stood there before. */
  readonly isKept: boolean
  readonly type: (text: string) => void
  /** It was sent, or is not wanted. `sent`: what was typed since then is kept. */
  readonly forget: (sent?: string) => void
}

/** `name`: what the text is of, in all the app. `before`: what stands there when nothing was typed. */
export const useKeptText = (name: string, before = ""): KeptText => {
  const key = keyOf(nameOf(useSession()), name)
  const kept = useSyncExternalStore(onTexts, () => textOf(key))
  return {
    text: kept ?? before,
    isKept: kept !== null,
    type: (text) => keepText(key, text === before ? null : text),
    forget: (sent) => {
      if (sent === undefined || textOf(key) === sent) keepText(key, null)
    }
  }
}
