/** Text of a field that is passed on when somebody stops typing. */
import { useEffect, useState } from "react"

interface Typed {
  readonly text: string
  /** What the address said when it was typed. */
  readonly over: string
}

/** An address that changes meanwhile, by going back, wins: what was typed over another one is passed on no more. */
export const useTyped = (value: string, onTyped: (value: string) => void, pauseMillis = 200) => {
  const [typed, setTyped] = useState<Typed | null>(null)
  const text = typed?.over === value ? typed.text : value
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => {
      setTyped(null)
      onTyped(text)
    }, pauseMillis)
    return () => clearTimeout(timer)
  }, [onTyped, pauseMillis, text, value])
  return [text, (text: string) => setTyped({ text, over: value })] as const
}
