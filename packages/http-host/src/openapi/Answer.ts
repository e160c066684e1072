/** What an endpoint answers when it did what was asked. */
import { RecordsFacts } from "@freehold/core/limit/Metering"
import { Predicate, Record } from "effect"
import * as IdempotentAnswer from "../IdempotentAnswer.ts"
import type { Route } from "../Routes.ts"
import type { Example } from "./examples/Example.ts"
import { headersOf, ofEveryAnswer, ofTheCredits, ofTheMinute, ofTheNotice } from "./Headers.ts"
import * as JsonSchema from "./JsonSchema.ts"
import { objectOf, operationIdOf, pascal, reference } from "./Parts.ts"

type JsonObject = JsonSchema.JsonObject

const success = { const: true }

/** Without, the whole object is left out when it has nothing to say. */
const hasRequired = ({ required }: JsonObject): boolean => Array.isArray(required) && required.length > 0

/** The successful answer, and the components that it refers to. */
export const answerOf = (route: Route, example: Example | undefined) => {
  const { operation, shape } = route
  const data = JsonSchema.ofOutput(shape === null ? operation.output : shape.data)
  const meta = shape === null || shape.meta === null ? null : JsonSchema.ofOutput(shape.meta)
  const takes = operation.refusals.some(({ identifier }) => identifier === "RECORDS_ALLOWANCE_EXCEEDED")
  const records = takes ? JsonSchema.ofOutput(RecordsFacts) : null
  const name = `${pascal(operationIdOf(operation.name))}Data`
  const own = Predicate.isString(data.schema["$ref"])
  const facts = records === null ? {} : { records: records.schema }
  const metaSchema = meta === null
    ? records === null ? null : objectOf(facts, [])
    : { ...meta.schema, properties: { ...JsonSchema.propertiesOf(meta.schema), ...facts } }
  const told = example === undefined
    ? undefined
    : shape === null
    ? { data: example.answer }
    : shape.show(example.answer)
  const shown = told === undefined
    ? undefined
    : { success: true, data: told.data, ...(told.meta === undefined ? {} : { meta: told.meta }) }
  const schema = objectOf(
    {
      success,
      data: own ? data.schema : reference("schemas", name),
      ...(metaSchema === null ? {} : { meta: metaSchema })
    },
    ["success", "data", ...(meta !== null && hasRequired(meta.schema) ? ["meta"] : [])]
  )
  const charges = route.operation.refusals.some((refusal) => refusal.identifier === "INSUFFICIENT_CREDITS")
  const repeats = IdempotentAnswer.applies(route)
  const ownHeaders = Record.map(
    shape === null ? {} : shape.headers,
    (description): JsonObject => ({ description, schema: { type: "string" } })
  )
  return {
    response: {
      description: "Done.",
      headers: {
        ...headersOf([
          ...ofEveryAnswer,
          ...ofTheMinute,
          ...charges ? ofTheCredits : [],
          ...repeats ? ["Idempotency-Replayed"] : [],
          ...route.deprecation === null ? [] : ofTheNotice
        ]),
        ...ownHeaders
      },
      content: { "application/json": { schema, ...(shown === undefined ? {} : { example: shown }) } }
    },
    schemas: {
      ...data.components,
      ...meta?.components,
      ...records?.components,
      ...(own ? {} : { [name]: data.schema })
    }
  }
}
