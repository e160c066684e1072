/** Above the rows of a table: chooses all that are shown, or none of them. */
import style from "./Page.module.css"

export const ChooseAll = ({ chosen, ids, onChoose }: {
  /** Of the rows that are shown. */
  readonly ids: ReadonlyArray<string>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}) => {
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <label className={style["all"]}>
      <input checked={isAll} onChange={() => onChoose(new Set(isAll ? [] : ids))} type="checkbox" />
      Choose all that are shown
    </label>
  )
}
