/** What the shapes on the map mean, and where its outlines are from. */
import { propertyStates, StateMark } from "../part/StateMark.tsx"
import style from "./MapPane.module.css"

export const Legend = () => (
  <div className={style["legend"]}>
    <ul aria-label="Legend">
      {propertyStates.map((state) => (
        <li key={state}>
          <StateMark state={state} />
        </li>
      ))}
    </ul>
    <p>Outlines: U.S. Census Bureau, 2017; dashed: around the properties of a county without one.</p>
  </div>
)
