/**
 * Calls that are made in the same moment, answered by one statement.
 *
 * Whoever calls asks for one thing and waits for its own answer. *Gotcha*: who asks while the statement is under way comes
 * into the next one; within a transaction nothing is to be asked so, since the statement is nobody's.
 */
import { Effect, Exit, Request, RequestResolver } from "effect"

/** `answer` gets at most `atMost` questions, and answers in their order. */
export const make = <Question, Answer, Failure>(
  answer: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>, Failure>,
  atMost: number
) => {
  class Asked extends Request.Class<{ readonly question: Question }, Answer, Failure> {}
  const resolver = RequestResolver.make<Asked>((entries) =>
    Effect.map(Effect.exit(answer(entries.map(({ request }) => request.question))), (exit) => {
      const answers = Exit.isSuccess(exit) ? exit.value.values() : [].values()
      for (const entry of entries) {
        const { done, value } = answers.next()
        entry.completeUnsafe(
          Exit.isFailure(exit)
            ? Exit.failCause(exit.cause)
            : done === true
            ? Exit.die("a question has no answer")
            : Exit.succeed(value)
        )
      }
    })
  ).pipe(RequestResolver.batchN(atMost))
  return (question: Question): Effect.Effect<Answer, Failure> => Effect.request(new Asked({ question }), resolver)
}
