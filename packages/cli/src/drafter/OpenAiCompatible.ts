/**
 * A language model behind any endpoint that speaks OpenAI's chat completions: `POST <url>/chat/completions`.
 *
 * Text and JSON objects, no tools, no streaming: what a draft needs, and what every such endpoint can do.
 */
import { Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"

export interface EndpointSettings {
  /** Up to and without `/chat/completions`. */
  readonly url: string
  readonly model: string
  /** None: the endpoint asks for no key. */
  readonly key: Option.Option<Redacted.Redacted>
}

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ message: Schema.Struct({ content: Schema.NullOr(Schema.String) }) })
  )
})

const failed = (description: string) =>
  AiError.make({
    module: "OpenAiCompatible",
    method: "generateText",
    reason: new AiError.UnknownError({ description })
  })

const textOf = ({ content, role }: Prompt.Message): string =>
  role === "system"
    ? content
    : content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")

const partsOf = (text: string): Array<Response.PartEncoded> => [
  { type: "text", text },
  { type: "finish", reason: "stop", usage: { inputTokens: {}, outputTokens: {} } }
]

export const layer = ({ key, model, url }: EndpointSettings) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient
      return yield* LanguageModel.make({
        generateText: Effect.fn("OpenAiCompatible.generateText")(
          function*({ prompt, responseFormat }) {
            const body = {
              model,
              messages: prompt.content.map((message) => ({ role: message.role, content: textOf(message) })),
              ...(responseFormat.type === "json" ? { response_format: { type: "json_object" } } : {})
            }
            const request = HttpClientRequest.post(`${url}/chat/completions`).pipe(
              HttpClientRequest.bodyJsonUnsafe(body),
              Option.match(key, {
                onNone: () => (unsigned) => unsigned,
                onSome: (secret) => HttpClientRequest.bearerToken(Redacted.value(secret))
              })
            )
            const response = yield* client.execute(request)
            if (response.status !== 200) return yield* failed(`the language model answered ${response.status}`)
            const { choices: [choice] } = yield* HttpClientResponse.schemaBodyJson(Completion)(response)
            return partsOf(choice.message.content ?? "")
          },
          Effect.catchTags({
            HttpClientError: () => Effect.fail(failed("the language model cannot be reached")),
            SchemaError: () => Effect.fail(failed("the language model answered something else than a completion"))
          })
        ),
        streamText: () => Stream.fail(failed("streaming is not needed here"))
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
