/** What every `Notes` and every `Tasks` must do, and what of it a bundle reads. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Array, Effect, type Layer, Option } from "effect"
import { BundleSource } from "../lead/BundleSource.ts"
import { Notes } from "../note/Notes.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { defaults } from "../organization/Organization.ts"
import { type NewTask, type Task, Tasks } from "../task/Tasks.ts"
import { member, property, type Seeder, startOver } from "./Seed.ts"

const orgId = "note-org"
const otherOrgId = "other-note-org"
const at = Date.UTC(2026, 0, 2)

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const ana = { memberId: id(901), name: "Ana" }

const seed = Effect.gen(function*() {
  yield* startOver({
    organizations: [defaults(orgId), defaults(otherOrgId)],
    members: [orgId, otherOrgId].map((each) => ({ orgId: each, ...member(ana) })),
    properties: [
      property({ id: id(1), key: "48001-NOTED", countyFips: "48001" }),
      property({ id: id(2), countyFips: "48003", retiredInto: id(1) })
    ]
  })
})

const most = 1000

const note = (n: number, content: string, now: number, propertyId = id(1)) => ({
  orgId,
  id: id(n),
  propertyId,
  content,
  author: ana,
  most,
  now
})

const write = (...given: Parameters<typeof note>) =>
  Notes.use((notes) => Effect.map(notes.add(note(...given)), Option.getOrThrow))

const task = (n: number, more: Partial<NewTask> = {}): NewTask => ({
  orgId,
  id: id(n),
  propertyId: id(1),
  title: `Task ${n}`,
  description: null,
  type: "task",
  dueAt: null,
  author: ana,
  assignee: null,
  most,
  now: at + n,
  ...more
})

/** `layer` is a store of its own. */
export const notesContract = <E>(
  name: string,
  layer: Layer.Layer<Notes | Tasks | BundleSource | Seeder, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`Notes and Tasks: ${name}`, (it) => {
    const of = (organization: string, limit = 9) =>
      Notes.use((notes) => notes.of({ orgId: organization, property: { _tag: "Id", id: id(1) }, limit }))

    it.effect("notes come newest first, then by id, to their organization alone", () =>
      Effect.gen(function*() {
        yield* seed
        const first = yield* write(11, "first 'quoted'\n— line", at)
        assert.deepStrictEqual(first, {
          id: id(11),
          propertyId: id(1),
          content: "first 'quoted'\n— line",
          author: "Ana",
          authorId: ana.memberId,
          createdAt: "2026-01-02T00:00:00.000Z"
        })
        yield* write(14, "later", at + 1)
        yield* write(13, "later", at + 1)
        const found = Option.getOrThrow(yield* of(orgId))
        assert.deepStrictEqual(found.notes.map((note) => note.id), [id(13), id(14), id(11)])
        assert.deepStrictEqual(found.notes[2], first)
        assert.lengthOf(Option.getOrThrow(yield* of(orgId, 2)).notes, 2)
        assert.deepStrictEqual(Option.getOrThrow(yield* of(otherOrgId)).notes, [])
      }))

    it.effect("a note is written anew and deleted, and keeps its author and its time", () =>
      Effect.gen(function*() {
        yield* seed
        const notes = yield* Notes
        yield* write(11, "first", at)
        yield* write(12, "second", at + 1)
        const anew = yield* notes.edit({ orgId, id: id(11), content: "— better" })
        assert.deepStrictEqual(Option.getOrThrow(anew), {
          id: id(11),
          propertyId: id(1),
          content: "— better",
          author: "Ana",
          authorId: ana.memberId,
          createdAt: "2026-01-02T00:00:00.000Z"
        })
        assert.deepInclude(Option.getOrThrow(yield* notes.find(orgId, id(11))), {
          content: "— better",
          countyFips: "48001",
          retiredInto: null
        })
        assert.isTrue(Option.isNone(yield* notes.find(otherOrgId, id(11))))
        assert.isTrue(Option.isNone(yield* notes.edit({ orgId: otherOrgId, id: id(11), content: "theirs" })))
        assert.isFalse(yield* notes.delete(otherOrgId, id(11)))
        assert.isTrue(yield* notes.delete(orgId, id(11)))
        assert.isFalse(yield* notes.delete(orgId, id(11)))
        assert.deepStrictEqual(Option.getOrThrow(yield* of(orgId)).notes.map((note) => note.id), [id(12)])
      }))

    it.effect("are so many at most in an organization, notes and tasks, however many are written at once", () =>
      Effect.gen(function*() {
        yield* seed
        const notes = yield* Notes
        const tasks = yield* Tasks
        const addNote = (n: number, most: number) => notes.add({ ...note(n, "One.", at + n), most })
        const addTask = (n: number, most: number) => tasks.add(task(n, { most }))
        // Each time there is room for one more: of a few calls at once some meet, but not every time.
        const rounds = Array.makeBy(24, (round) => round + 1)
        const added = <A>(add: (n: number, most: number) => Effect.Effect<Option.Option<A>, TemporarilyUnavailable>) =>
          Effect.forEach(rounds, (most) =>
            Effect.map(
              Effect.forEach(Array.makeBy(8, (index) => 1000 + 8 * most + index), (n) => add(n, most), {
                concurrency: "unbounded"
              }),
              (answers) => Array.getSomes(answers).length
            ))
        assert.deepStrictEqual(yield* added(addNote), rounds.map(() => 1))
        assert.deepStrictEqual(yield* added(addTask), rounds.map(() => 1))
        const bound = rounds.length
        const kept = Option.getOrThrow(yield* of(orgId, bound + 1)).notes
        assert.lengthOf(kept, bound)
        const page = yield* tasks.list({ orgId, propertyId: null, status: null, limit: 1, offset: 0 })
        assert.strictEqual(page.total, bound)
        // Another organization has its own, and what is deleted makes room.
        assert.isTrue(Option.isSome(yield* notes.add({ ...note(51, "Two.", at), orgId: otherOrgId, most: bound })))
        assert.isTrue(Option.isSome(yield* tasks.add(task(51, { orgId: otherOrgId, most: bound }))))
        yield* Effect.forEach(kept.slice(0, 1), ({ id }) => notes.delete(orgId, id))
        assert.isTrue(Option.isSome(yield* addNote(61, bound)))
        assert.isTrue(Option.isNone(yield* addNote(62, bound)))
      }))

    it.effect("of so many tasks the oldest that has ended makes room, and an open one never", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        for (const n of [21, 22, 23]) yield* tasks.add(task(n))
        const add = (n: number) => Effect.map(tasks.add(task(n, { most: 3 })), Option.isSome)
        assert.isFalse(yield* add(24))
        for (const n of [23, 22]) yield* tasks.end({ orgId, id: id(n), status: "done", now: at + n })
        const left = Effect.map(
          tasks.list({ orgId, propertyId: null, status: null, limit: 9, offset: 0 }),
          (found) => found.tasks.map((each) => each.id)
        )
        assert.isTrue(yield* add(25))
        assert.deepStrictEqual(yield* left, [id(25), id(23), id(21)])
        assert.isTrue(yield* add(26))
        assert.isFalse(yield* add(27))
        assert.deepStrictEqual(yield* left, [id(26), id(25), id(21)])
      }))

    it.effect("a property is told with its county and successor, also by key, and also without notes", () =>
      Effect.gen(function*() {
        yield* seed
        const notes = yield* Notes
        assert.deepStrictEqual(
          yield* notes.of({ orgId, property: { _tag: "Id", id: id(2) }, limit: 9 }),
          Option.some({ id: id(2), countyFips: "48003", retiredInto: id(1), notes: [] })
        )
        const byKey = yield* notes.of({ orgId, property: { _tag: "Key", key: "48001-NOTED" }, limit: 9 })
        assert.strictEqual(Option.getOrThrow(byKey).id, id(1))
        assert.isTrue(Option.isNone(yield* notes.of({ orgId, property: { _tag: "Id", id: id(9) }, limit: 9 })))
      }))

    it.effect("tasks come newest first, of one property or in one state when asked", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        const first = Option.getOrThrow(
          yield* tasks.add(task(21, {
            description: "Ask for the roof plan",
            type: "call",
            dueAt: "2026-02-01T00:00:00.000Z",
            assignee: ana
          }))
        )
        assert.deepStrictEqual(first, {
          id: id(21),
          propertyId: id(1),
          title: "Task 21",
          description: "Ask for the roof plan",
          type: "call",
          status: "open",
          dueAt: "2026-02-01T00:00:00.000Z",
          assigneeName: "Ana",
          createdAt: "2026-01-02T00:00:00.021Z",
          completedAt: null
        })
        const second = Option.getOrThrow(yield* tasks.add(task(22)))
        const newest = Option.getOrThrow(yield* tasks.add(task(23, { propertyId: id(2) })))
        yield* tasks.end({ orgId, id: id(22), status: "done", now: at })
        const list = (propertyId: string | null, status: "open" | "done" | null, limit = 9, offset = 0) =>
          Effect.map(
            tasks.list({ orgId, propertyId, status, limit, offset }),
            ({ tasks, total }) => [tasks.map((each) => each.id), total]
          )
        assert.deepStrictEqual(yield* list(null, null), [[id(23), id(22), id(21)], 3])
        assert.deepStrictEqual(yield* list(id(1), null, 1, 1), [[id(21)], 2])
        assert.deepStrictEqual(yield* list(null, "done"), [[id(22)], 1])
        assert.deepStrictEqual(yield* list(id(1), "open", 9, 5), [[], 1])
        const behind = (after: Task, status: "done" | null = null) =>
          Effect.map(
            tasks.list({ orgId, propertyId: null, status, after, limit: 9, offset: 0 }),
            ({ tasks, total }) => [tasks.map((each) => each.id), total]
          )
        // What comes meanwhile moves nothing of what is behind.
        yield* tasks.add(task(24))
        assert.deepStrictEqual(yield* behind(newest), [[id(22), id(21)], 4])
        assert.deepStrictEqual(yield* behind(newest, "done"), [[id(22)], 1])
        assert.deepStrictEqual(yield* behind(second), [[id(21)], 4])
        yield* tasks.add(task(20, { now: Date.parse(second.createdAt) }))
        yield* tasks.add(task(25, { now: Date.parse(second.createdAt) }))
        assert.deepStrictEqual(yield* behind(second), [[id(25), id(21)], 6])
        const other = yield* tasks.list({ orgId: otherOrgId, propertyId: null, status: null, limit: 9, offset: 0 })
        assert.deepStrictEqual(other, { tasks: [], total: 0 })
      }))

    it.effect("an agenda has what is due first before all, of one member or before a day when asked", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        yield* tasks.add(task(21, { dueAt: "2026-03-01T00:00:00.000Z" }))
        yield* tasks.add(task(22, { assignee: ana }))
        yield* tasks.add(task(23, { dueAt: "2026-02-01T00:00:00.000Z", assignee: ana }))
        yield* tasks.add(task(24, { propertyId: id(2) }))
        yield* tasks.add(task(25))
        yield* tasks.end({ orgId, id: id(25), status: "done", now: at })
        const asked = {
          orgId,
          visible: { nationwide: false, stateFips: ["48"], countyFips: [] },
          propertyId: null,
          status: "open" as const,
          assigneeId: null,
          dueBefore: null,
          limit: 9,
          offset: 0
        }
        const agenda = (
          given:
            | Partial<typeof asked>
            | { readonly propertyId: string }
            | { readonly assigneeId: string }
            | { readonly dueBefore: number }
        ) =>
          Effect.map(
            tasks.agenda({ ...asked, ...given }),
            ({ tasks, total }) => [tasks.map((each) => each.id), total]
          )
        assert.deepStrictEqual(yield* agenda({}), [[id(23), id(21), id(22)], 3])
        assert.deepStrictEqual(yield* agenda({ limit: 1, offset: 1 }), [[id(21)], 3])
        assert.deepStrictEqual(yield* agenda({ assigneeId: ana.memberId }), [[id(23), id(22)], 2])
        assert.deepStrictEqual(yield* agenda({ propertyId: id(1) }), [[id(23), id(21), id(22)], 3])
        assert.deepStrictEqual(yield* agenda({ propertyId: id(9) }), [[], 0])
        assert.deepStrictEqual(yield* agenda({ dueBefore: Date.UTC(2026, 2, 1) }), [[id(23)], 1])
        assert.deepStrictEqual(yield* agenda({ visible: { ...asked.visible, stateFips: ["49"] } }), [[], 0])
        assert.deepStrictEqual(yield* agenda({ orgId: otherOrgId }), [[], 0])
        // Page by page from behind the last one, of one day and of none, while the last one is given another day.
        for (
          const [n, dueAt] of [[31, "2026-03-01T00:00:00.000Z"], [32, "2026-03-01T00:00:00.000Z"], [33, null]] as const
        ) {
          yield* tasks.add(task(n, { dueAt, now: at }))
        }
        const whole = yield* tasks.agenda(asked)
        assert.strictEqual(whole.total, 6)
        for (const [index, after] of whole.tasks.entries()) {
          const rest = yield* tasks.agenda({ ...asked, after })
          assert.deepStrictEqual(rest, { tasks: whole.tasks.slice(index + 1), total: 6 })
        }
        const [first] = whole.tasks
        yield* tasks.edit({ orgId, id: id(23), dueAt: null })
        const moved = yield* tasks.agenda({ ...asked, after: first, limit: 2 })
        assert.deepStrictEqual(moved.tasks.map((each) => each.id), whole.tasks.slice(1, 3).map((each) => each.id))
        yield* tasks.edit({ orgId, id: id(23), dueAt: "2026-02-01T00:00:00.000Z" })
        assert.deepInclude(Option.getOrThrow(yield* tasks.find(orgId, id(23))), {
          title: "Task 23",
          assigneeId: ana.memberId,
          propertyKey: "48001-NOTED",
          countyFips: "48001",
          retiredInto: null
        })
        assert.isTrue(Option.isNone(yield* tasks.find(otherOrgId, id(23))))
      }))

    it.effect("an open task is changed in what is given and nothing else, one that has ended is not", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        yield* tasks.add(task(21, { assignee: ana, description: "before" }))
        const anew = {
          orgId,
          id: id(21),
          title: "Other",
          description: null,
          type: "call" as const,
          dueAt: "2026-03-01T00:00:00.000Z",
          assignee: null
        }
        const told = Option.getOrThrow(yield* tasks.edit(anew))
        assert.deepInclude(told, {
          title: "Other",
          description: null,
          type: "call",
          dueAt: "2026-03-01T00:00:00.000Z",
          assigneeName: null,
          status: "open"
        })
        assert.isNull(Option.getOrThrow(yield* tasks.find(orgId, id(21))).assigneeId)
        assert.isTrue(Option.isNone(yield* tasks.edit({ ...anew, orgId: otherOrgId })))
        const parts = [
          { title: "A third" },
          { description: "after" },
          { type: "meeting" as const },
          { dueAt: null },
          { assignee: ana }
        ]
        for (const part of parts) {
          const before = Option.getOrThrow(yield* tasks.find(orgId, id(21)))
          yield* tasks.edit({ orgId, id: id(21), ...part })
          assert.deepStrictEqual(Option.getOrThrow(yield* tasks.find(orgId, id(21))), {
            ...before,
            ...("assignee" in part ? { assigneeId: ana.memberId, assigneeName: ana.name } : part)
          })
        }
        const whole = Option.getOrThrow(yield* tasks.find(orgId, id(21)))
        yield* tasks.edit({ orgId, id: id(21) })
        assert.deepStrictEqual(Option.getOrThrow(yield* tasks.find(orgId, id(21))), whole)
        yield* tasks.end({ orgId, id: id(21), status: "cancelled", now: at })
        assert.isTrue(Option.isNone(yield* tasks.edit(anew)))
      }))

    it.effect("a task ends once: of two ends at the same moment both tell the same state", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        yield* tasks.add(task(31))
        const ends = yield* Effect.forEach(
          ["done", "cancelled", "done", "cancelled"] as const,
          (status) => tasks.end({ orgId, id: id(31), status, now: at }),
          { concurrency: "unbounded" }
        )
        const states = new Set(ends.map((each) => Option.getOrThrow(each).status))
        assert.lengthOf(states, 1)
        const [ended] = ends.map(Option.getOrThrow)
        assert.strictEqual(ended?.completedAt, ended?.status === "done" ? "2026-01-02T00:00:00.000Z" : null)
        assert.isTrue(Option.isNone(yield* tasks.end({ orgId: otherOrgId, id: id(31), status: "done", now: at })))
        assert.isTrue(Option.isNone(yield* tasks.end({ orgId, id: id(99), status: "done", now: at })))
      }))

    it.effect("a bundle reads the newest 50 notes, and 50 tasks, the open ones first", () =>
      Effect.gen(function*() {
        yield* seed
        const tasks = yield* Tasks
        yield* Effect.forEach(Array.makeBy(51, (index) => index), (index) =>
          write(100 + index, `Note ${index}`, at + index))
        yield* Effect.forEach(
          Array.makeBy(51, (index) =>
            200 + index),
          (n) => tasks.add(task(n))
        )
        for (const n of [249, 250]) yield* tasks.end({ orgId, id: id(n), status: "cancelled", now: at })
        const source = yield* BundleSource
        const facts = Option.getOrThrow(yield* source.read({ _tag: "Id", id: id(1) }, orgId))
        assert.lengthOf(facts.notes, 50)
        assert.deepStrictEqual(facts.notes[0], {
          id: id(150),
          content: "Note 50",
          author: "Ana",
          createdAt: "2026-01-02T00:00:00.050Z"
        })
        assert.deepStrictEqual(
          facts.tasks.map((each) => [each.id, each.status]),
          [...Array.makeBy(49, (index) => [id(248 - index), "open"]), [id(250), "cancelled"]]
        )
      }))
  })
}
