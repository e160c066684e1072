/** Sends a file in parts, one after the other, and has it loaded when it is whole. */
import { call, type Input, post, Refused } from "../service/Call.ts"

const tooLarge = (mebibytes: number): Refused =>
  new Refused("INVALID_ARGUMENTS", "The file is too large.", {
    issues: [{ field: "file", message: `Expected at most ${mebibytes} MiB; compress it, or use freehold import` }]
  })

/** Answers the id of the import. `onPart` hears how many bytes have arrived. */
export const upload = async (
  file: File,
  given: Omit<Input<"operator_begin_import">, "name">,
  onPart: (bytes: number) => void
): Promise<string> => {
  const { data: { id, most_parts: mostParts, part_bytes: partBytes } } = await call("operator_begin_import", {
    ...given,
    name: file.name
  })
  const parts = Math.ceil(file.size / partBytes)
  if (parts > mostParts) throw tooLarge((mostParts * partBytes) / 2 ** 20)
  for (let number = 0; number < parts; number++) {
    const end = Math.min(file.size, (number + 1) * partBytes)
    await post(`/console/operator/imports/${id}/${number}`, file.slice(number * partBytes, end))
    onPart(end)
  }
  await call("operator_start_import", { id })
  return id
}

/** The rejected rows of an import, as a file. */
export const rejectsOf = async (id: string): Promise<Blob> => {
  const texts: Array<string> = []
  for (let after: number | null = 0; after !== null;) {
    const { data }: { data: { readonly texts: ReadonlyArray<string>; readonly next: number | null } } = await call(
      "operator_list_rejects",
      { id, after }
    )
    texts.push(...data.texts)
    after = data.next
  }
  return new Blob(texts, { type: "application/x-ndjson" })
}
