/** Whether an endpoint's customer neither removed nor replaced it, as a condition on `webhook_endpoint`: `isGone` of core is the other way round. */
export const stands = "(disabled_reason IS NULL OR disabled_reason NOT IN ('deleted', 'superseded'))"
