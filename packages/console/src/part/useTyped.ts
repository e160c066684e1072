/** Text of a field that is passed on when somebody stops typing. */
import { useEffect, useState } from "react"

const pauseMillis = 200

export const useTyped = (value: string, onTyped: (value: string) => void) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onTyped(text), pauseMillis)
    return () => clearTimeout(timer)
  }, [onTyped, text, value])
  return [text, setText] as const
}
