/**
 * A language model behind any endpoint that speaks OpenAI's chat completions: `POST <url>/chat/completions`.
 *
 * Text and JSON objects, no tools, no streaming: what is needed here, and what every such endpoint can do. An answer is read
 * up to a bound.
 */
import { Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"

export interface EndpointSettings {
  /** Up to and without `/chat/completions`. */
  readonly url: string
  readonly model: string
  /** None: the endpoint asks for no key. */
  readonly key: Option.Option<Redacted.Redacted>
  /** Most tokens of an answer; the endpoint's own bound where it is left out. */
  readonly mostTokens?: number
}

/** Bytes of an answer. */
const longestAnswer = 1024 * 1024

const decodeCompletion = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ message: Schema.Struct({ content: Schema.NullOr(Schema.String) }) })
  )
})))

const failed = (description: string) =>
  AiError.make({
    module: "OpenAiCompatible",
    method: "generateText",
    reason: new AiError.UnknownError({ description })
  })

/** The answer's text; it is not read further than to the bound. */
const bounded = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const decoder = new TextDecoder()
  let text = ""
  let length = 0
  yield* Stream.runForEach(response.stream, (chunk) => {
    length += chunk.length
    text += decoder.decode(chunk, { stream: true })
    return length > longestAnswer ? Effect.fail(failed("the language model answered too much")) : Effect.void
  })
  return text + decoder.decode()
})

const textOf = ({ content, role }: Prompt.Message): string =>
  role === "system"
    ? content
    : content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")

const partsOf = (text: string): Array<Response.PartEncoded> => [
  { type: "text", text },
  { type: "finish", reason: "stop", usage: { inputTokens: {}, outputTokens: {} } }
]

export const layer = ({ key, model, mostTokens, url }: EndpointSettings) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient
      return yield* LanguageModel.make({
        generateText: Effect.fn("OpenAiCompatible.generateText")(
          function*({ prompt, responseFormat }) {
            const body = {
              model,
              ...(mostTokens === undefined ? {} : { max_tokens: mostTokens }),
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
            const { choices: [choice] } = yield* decodeCompletion(yield* bounded(response))
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
