/** The most that a caller agrees to pay, as every operation that may charge takes it. */
import { Schema } from "effect"

/** The ceiling that a caller sets for one paid call. */
export const MaxCredits = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
  description: "Most to pay; absent: any."
})
