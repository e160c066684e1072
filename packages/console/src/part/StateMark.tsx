/** How a property stands, as a shape and a word. */
import style from "./StateMark.module.css"

export const propertyStates = ["none", "locked", "revealed", "lead", "customer"] as const
export type PropertyState = (typeof propertyStates)[number]

export const stateWords: Readonly<Record<PropertyState, string>> = {
  none: "not researched",
  locked: "locked",
  revealed: "open",
  lead: "lead",
  customer: "customer"
}

/** The outline of each shape in a square of 24. */
export const shapes: Readonly<Record<PropertyState, string>> = {
  none: "M12 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12Z",
  locked: "M12 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12Z",
  revealed: "M12 4L20 12L12 20L4 12Z",
  lead: "M12 4L20 19L4 19Z",
  customer: "M5 5H19V19H5Z"
}

export const StateMark = ({ state }: { readonly state: PropertyState }) => (
  <span className={style["mark"]}>
    <svg aria-hidden="true" className={style[state]} viewBox="0 0 24 24">
      <path d={shapes[state]} />
    </svg>
    {stateWords[state]}
  </span>
)
