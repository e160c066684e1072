/** What deep research says about approaching somebody. */
import type { Output } from "../service/Call.ts"

type Strategy = NonNullable<Output<"service_get_research_status">["strategy"]>

export const StrategyText = ({ strategy: { approach, points, summary } }: { readonly strategy: Strategy }) => (
  <>
    <p>{summary}</p>
    <p>{approach}</p>
    {points.length > 0 && <ul>{points.map((point) => <li key={point}>{point}</li>)}</ul>}
  </>
)
