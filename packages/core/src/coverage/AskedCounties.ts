/** The counties that a search or a browse is limited to, as every one of them takes them. */
import { Schema } from "effect"
import { CountyFips } from "../organization/Organization.ts"

export const mostCounties = 50

export const AskedCounties = Schema.Array(CountyFips).check(Schema.isMinLength(1), Schema.isMaxLength(mostCounties))
