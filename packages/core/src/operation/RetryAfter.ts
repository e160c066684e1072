/** The last sentence of a refusal that passes by itself. */
export const retryAfter = (seconds: number): string => `Retry after ${seconds} ${seconds === 1 ? "second" : "seconds"}.`
