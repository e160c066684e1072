/** Copies texts for people to put elsewhere, and says whether the browser let the page do so. */
import { useState } from "react"

/** `what`: the beginning of what is said, such as "The text was". */
export const useCopy = () => {
  const [told, setTold] = useState("")
  const copy = async (what: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setTold(`${what} copied.`)
    } catch {
      setTold("The browser does not let this page copy: select the text, and copy it.")
    }
  }
  return { copy, told }
}
