/** Names and values, one under the other; what is not known is left out. */
import type { ReactNode } from "react"
import style from "./Facts.module.css"

/** `how`: how the value came about. */
type Fact = readonly [name: string, value: ReactNode, how?: string | undefined]

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact> }) => (
  <dl className={style["facts"]}>
    {facts.map(([name, value, how]) =>
      value === null ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {how !== undefined && <small>{how}</small>}
          </dd>
        </div>
      )
    )}
  </dl>
)
