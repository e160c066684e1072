/** Names and values, one under the other; what is not known is left out. */
import style from "./Facts.module.css"

/** `how`: how the value came about. */
type Fact = readonly [name: string, value: string | null, how?: string | undefined]

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
