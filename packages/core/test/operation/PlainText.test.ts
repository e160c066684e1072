/** What a text from outside may hold, over every character. */
import { assert, describe, it } from "@effect/vitest"
import { CreateList } from "@freehold/core/list/ListOperations"
import { AddNote } from "@freehold/core/note/NoteOperations"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { inOneLine, isOneLine, isPlain, saying } from "@freehold/core/operation/PlainText"
import { Result } from "effect"
import * as fc from "fast-check"

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) })

describe("PlainText", () => {
  it("has no control character but tabs and line breaks, and no embedding, override or isolate", () => {
    const plain = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) =>
      isPlain(String.fromCharCode(code))
    )
    const refused = (from: number, to: number) => plain.filter((code) => code >= from && code <= to)
    assert.deepStrictEqual(refused(0, 0x1f), [0x09, 0x0a, 0x0d])
    assert.deepStrictEqual(refused(0x7f, 0x9f), [])
    assert.deepStrictEqual([...refused(0x202a, 0x202e), ...refused(0x2066, 0x2069)], [])
    assert.strictEqual(plain.length, 0x10000 - 29 - 33 - 9 - 0x800)
  })

  it("in one line keeps its words", () => {
    assert.strictEqual(inOneLine("12 Elm Street \r\n\tSuite 4\u2028"), "12 Elm Street Suite 4")
    fc.assert(fc.property(anyText, (text) => {
      const line = inOneLine(text)
      assert.isTrue(isOneLine(line))
      assert.strictEqual(line.replace(/\s/g, ""), text.replace(/\s/g, ""))
    }))
  })

  it("of another program is a short plain line, whatever it said", () => {
    fc.assert(fc.property(anyText, (text) => {
      const kept = saying(text)
      assert.isTrue(isPlain(kept) && isOneLine(kept) && kept.length <= 300)
    }))
    assert.strictEqual(saying("altnames: \u001b[2Jexample\n"), "altnames:  [2Jexample")
  })

  it("is in one line where it is a name, and in any number where it is a note", () => {
    const id = "00000000-0000-4000-8000-000000000001"
    const list = (name: string) =>
      Result.isSuccess(decoder(CreateList.input)({ list_name: name, list_type: "contacts" }))
    const note = (content: string) => Result.isSuccess(decoder(AddNote.input)({ property_id: id, content }))
    assert.deepStrictEqual(["a b", "a\nb", "a\u001bb"].map(list), [true, false, false])
    assert.deepStrictEqual(["a b", "a\nb", "a\u001bb"].map(note), [true, true, false])
  })
})
