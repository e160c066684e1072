/** The keys of the organization: who uses which, what each may, and new ones. */
import { useState } from "react"
import { Confirmed } from "../part/Confirmed.tsx"
import { FormEnd, limitIn, onSent, textIn } from "../part/Form.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { changedOf } from "../part/useFormChanges.ts"
import { actions, WideTable } from "../part/WideTable.tsx"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"
import { Answered, useAsked, useChange } from "./Asking.tsx"
import { OpenedHeading } from "./OpenedHeading.tsx"
import { Secret } from "./Secret.tsx"
import { kindName, scopeAllows } from "./Words.ts"

type Answer = Output<"app_list_keys">
type Key = Answer["keys"][number]

export const KeysPage = () => {
  const asked = useAsked("app_list_keys", {})
  return (
    <Answered<"app_list_keys"> asked={asked}>
      {(answer) => (
        <>
          <Keys
            answer={answer}
            readAnew={async (id) => keyOf((await asked.refetch()).data ?? answer, id)}
          />
          <NewKey answer={answer} />
        </>
      )}
    </Answered>
  )
}

const keyOf = ({ keys }: Answer, id: string): Key | undefined => keys.find(({ credential_id }) => credential_id === id)

const limitsOf = ({ daily_limits }: Key, kinds: Answer["kinds"]): string => {
  const set = kinds.flatMap((kind) => {
    const limit = daily_limits[kind]
    return limit === null ? [] : [`${kindName(kind)}: ${limit === 0 ? "paused" : `${limit} a day`}`]
  })
  return set.length === 0 ? "None of its own" : set.join("; ")
}

const Keys = ({ answer, readAnew }: {
  readonly answer: Answer
  /** The key as it is by now. */
  readonly readAnew: (id: string) => Promise<Key | undefined>
}) => {
  const [edited, setEdited] = useState<Key | null>(null)
  const revoke = useChange("app_revoke_key")
  const { keys, kinds, maximum_active: maximum } = answer
  const active = keys.filter(({ status }) => status === "active").length
  const edit = async (row: Key) => setEdited(await readAnew(row.credential_id) ?? row)
  return (
    <section className={page["panel"]} aria-label="Keys that there are">
      <WideTable
        caption={`${active} of at most ${maximum} keys are active.`}
        columns={["Key", "May", "Limits of its own", "Last used", "State", actions]}
        label="Keys"
      >
        {keys.toReversed().map((each) => (
          <tr key={each.credential_id}>
            <th scope="row">{each.label}…</th>
            <td>{each.scopes.length === 0 ? "Nothing" : each.scopes.join(", ")}</td>
            <td>{limitsOf(each, kinds)}</td>
            <td>{each.last_used_at === null ? "Never" : momentOf(each.last_used_at)}</td>
            <td>{standingOf(each)}</td>
            <td>
              {each.status === "active" && (
                <span className={page["buttons"]}>
                  <button
                    aria-label={`Change ${each.label}`}
                    className="plain"
                    onClick={() => void edit(each)}
                    type="button"
                  >
                    Change
                  </button>
                  <Confirmed
                    disabled={revoke.isPending}
                    label="Revoke"
                    onConfirm={() => revoke.mutate({ credential_id: each.credential_id })}
                    question="A program that uses it is refused at once, for good."
                  />
                </span>
              )}
            </td>
          </tr>
        ))}
      </WideTable>
      {revoke.error !== null && <RefusalNotice error={revoke.error} />}
      {edited !== null && (
        <EditKey
          key={edited.credential_id}
          answer={answer}
          edited={edited}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

const standingOf = ({ expires_at, previous_until, revoked_at, status }: Key): string => {
  if (revoked_at !== null) return `Revoked ${momentOf(revoked_at)}`
  const expiry = expires_at === null ? "" : `${status === "expired" ? "Expired" : "expires"} ${momentOf(expires_at)}`
  if (status === "expired") return expiry
  const rotation = previous_until === null ? "" : `its secret before works until ${momentOf(previous_until)}`
  return ["Active", expiry, rotation].filter((part) => part !== "").join("; ")
}

/** In the order in which forms hold them. */
const scopesOf = ({ scopes: given }: Key, { scopes }: Answer): Key["scopes"] =>
  scopes.map(({ scope }) => scope).filter((scope) => given.includes(scope))

const scopesIn = (data: FormData, { scopes }: Answer): Key["scopes"] =>
  scopes.map(({ scope }) => scope).filter((scope) => data.get(`scope ${scope}`) === "on")

const limitsIn = (data: FormData, { kinds }: Answer) =>
  Object.fromEntries(kinds.map((kind) => [kind, limitIn(data, kind)]))

const Choices = ({ answer: { kinds, scopes }, of }: { readonly answer: Answer; readonly of: Key | null }) => (
  <>
    <fieldset>
      <legend>What it may do</legend>
      {scopes.filter(({ choice }) => of !== null || choice !== "added_only").map(({ choice, plan, scope }) => (
        <label key={scope} className={style["check"]}>
          <input defaultChecked={of?.scopes.includes(scope) ?? false} name={`scope ${scope}`} type="checkbox" />
          <span>
            <code>{scope}</code>: {scopeAllows(scope)}
            {choice !== "offered" && " · opt-in"}
            {plan === "enterprise" && " · Enterprise"}
          </span>
        </label>
      ))}
    </fieldset>
    <fieldset>
      <legend>Limits of its own, each UTC day</legend>
      <p className="quiet">Empty: none of its own. 0 pauses.</p>
      <div className={style["columns"]}>
        {kinds.map((kind) => (
          <label key={kind}>
            {kindName(kind)}
            <input defaultValue={of?.daily_limits[kind] ?? ""} min={0} name={kind} step={1} type="number" />
          </label>
        ))}
      </div>
    </fieldset>
  </>
)

const EditKey = ({ answer, edited, onClose }: {
  readonly answer: Answer
  readonly edited: Key
  readonly onClose: () => void
}) => {
  const change = useChange("app_change_key")
  /** What the fields began with. */
  const [before] = useState(edited)
  const { credential_id, daily_limits: limits } = before
  const submit = onSent((data) => {
    const scopes = changedOf({ scopes: scopesOf(before, answer) }, { scopes: scopesIn(data, answer) })
    const daily_limits = changedOf(limits, { ...limits, ...limitsIn(data, answer) })
    change.mutate({ credential_id, ...scopes, daily_limits }, { onSuccess: onClose })
  })
  return (
    <form aria-label={`Change ${edited.label}`} className={style["form"]} onSubmit={submit}>
      <OpenedHeading as="h2">Change {edited.label}…</OpenedHeading>
      <Choices answer={answer} of={before} />
      <FormEnd change={change}>
        <button className="plain" onClick={onClose} type="button">Close</button>
      </FormEnd>
    </form>
  )
}

const NewKey = ({ answer }: { readonly answer: Answer }) => {
  const create = useChange("app_create_key")
  const submit = onSent((data, form) =>
    create.mutate(
      { name: textIn(data, "name"), scopes: scopesIn(data, answer), daily_limits: limitsIn(data, answer) },
      { onSuccess: () => form.reset() }
    )
  )
  return (
    <section className={page["panel"]} aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      {create.data !== undefined && (
        <Secret onKept={() => create.reset()} secret={create.data.secret}>
          The secret of <strong>{create.data.key.name}</strong>{" "}
          is shown this once. Keep it where only your program reads it.
        </Secret>
      )}
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Name, up to 120 characters
          <input autoComplete="off" maxLength={120} name="name" required />
        </label>
        <Choices answer={answer} of={null} />
        <FormEnd change={create} send="Make the key" />
      </form>
    </section>
  )
}
