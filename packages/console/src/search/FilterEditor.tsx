/** What one filter asks for: words of a list, a number, a day, yes or no, or text. */
import { type SubmitEvent, useState } from "react"
import { Waiting } from "../part/Waiting.tsx"
import { joined, word } from "../part/Wording.ts"
import style from "./FilterChips.module.css"
import { type FilterName, filterWords, isDay, kindOf } from "./FilterTable.ts"
import { type Choice, useChoices } from "./useValues.ts"

type Value = string | number | boolean | ReadonlyArray<string>

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]

export const FilterEditor = ({ name, onApply, value }: {
  readonly name: FilterName
  readonly value: unknown
  readonly onApply: (value: Value | undefined) => void
}) => {
  const kind = kindOf(name)
  const { label, unit } = filterWords[name]
  const { choices, error } = useChoices(name)
  const [texts, setTexts] = useState(() => textsOf(value))
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const given = texts.map((text) => text.trim()).filter((text) => text !== "")
    const [first] = given
    if (first === undefined) onApply(undefined)
    else if (kind === "number") onApply(Number(first))
    else if (kind === "flag") onApply(first === "true")
    else onApply(kind === "texts" ? given : first)
  }
  const field = kind === "flag"
    ? <Choices choices={yesOrNo} isSeveral={false} name={name} onChange={setTexts} texts={texts} />
    : choices === undefined
    ? <Waiting error={error} />
    : choices !== null
    ? <Choices choices={choices} isSeveral={kind === "texts"} name={name} onChange={setTexts} texts={texts} />
    : (
      <label>
        {joined([
          label,
          unit === undefined ? null : `in ${unit}`,
          kind === "texts" ? "several with a comma between" : null
        ])}
        <input
          autoFocus
          min={kind === "number" ? 0 : undefined}
          onChange={({ target }) => setTexts(kind === "texts" ? target.value.split(",") : [target.value])}
          step={kind === "number" ? 1 : undefined}
          type={kind === "number" ? "number" : isDay(name) ? "date" : "text"}
          value={isDay(name) ? (texts[0] ?? "").slice(0, 10) : texts.join(",")}
        />
      </label>
    )
  return (
    <form onSubmit={apply}>
      {field}
      <button type="submit">Apply</button>
    </form>
  )
}

const yesOrNo: ReadonlyArray<Choice> = [{ value: "true", label: "Yes" }, { value: "false", label: "No" }]

/** More values than these are found by a word. */
const many = 12

const Choices = ({ choices, isSeveral, name, onChange, texts }: {
  readonly name: FilterName
  readonly choices: ReadonlyArray<Choice>
  readonly isSeveral: boolean
  readonly texts: ReadonlyArray<string>
  readonly onChange: (texts: ReadonlyArray<string>) => void
}) => {
  const [wanted, setWanted] = useState("")
  const shown = choices.filter(({ label, value }) =>
    `${label ?? ""} ${value}`.toLowerCase().includes(wanted.trim().toLowerCase())
  )
  return (
    <>
      {choices.length > many && (
        <label>
          Find a value
          <input onChange={(event) => setWanted(event.target.value)} type="search" value={wanted} />
        </label>
      )}
      {choices.length === 0 && <p>There is nothing to choose from yet.</p>}
      <fieldset className={style["choices"]}>
        <legend className="visually-hidden">{filterWords[name].label}</legend>
        {shown.map(({ label, value }) => (
          <label key={value}>
            <input
              checked={texts.includes(value)}
              name={name}
              onChange={({ target }) =>
                onChange(
                  !isSeveral ? [value] : target.checked ? [...texts, value] : texts.filter((each) => each !== value)
                )}
              type={isSeveral ? "checkbox" : "radio"}
            />
            {label ?? word(value)}
          </label>
        ))}
      </fieldset>
    </>
  )
}
