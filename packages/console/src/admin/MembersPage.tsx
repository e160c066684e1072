/** The people of the organization: what each may, what they spent, where they are signed in, and new ones. */
import { useState } from "react"
import { paths } from "../app/Paths.ts"
import { Confirmed } from "../part/Confirmed.tsx"
import { FormEnd, limitIn, onSent, textIn } from "../part/Form.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Told } from "../part/Told.tsx"
import { useFormChanges } from "../part/useFormChanges.ts"
import { actions, numbers, WideTable } from "../part/WideTable.tsx"
import { number } from "../part/Wording.ts"
import type { Input, Output } from "../service/Call.ts"
import { browserOf } from "../session/UserAgent.ts"
import style from "./Admin.module.css"
import { Act, Answered, useAsked, useChange } from "./Asking.tsx"
import { OpenedHeading } from "./OpenedHeading.tsx"
import { Secret } from "./Secret.tsx"
import { TerritoryChoice, territoryIn, territoryOf, useCountyNames } from "./TerritoryChoice.tsx"

type Member = Output<"app_list_members">["members"][number]

const roles: Readonly<Record<Member["role"], string>> = {
  admin: "Admin",
  member: "Member",
  read_only: "Reads only"
}

export const MembersPage = () => {
  const asked = useAsked("app_list_members", {})
  return (
    <Answered<"app_list_members"> asked={asked}>
      {({ members, month_ends_at }) => (
        <>
          <Members
            members={members}
            monthEndsAt={month_ends_at}
            readAnew={async (id) => memberOf((await asked.refetch()).data?.members ?? [], id)}
          />
          <NewMember />
        </>
      )}
    </Answered>
  )
}

const memberOf = (members: ReadonlyArray<Member>, id: string): Member | undefined =>
  members.find(({ member_id }) => member_id === id)

const spendingOf = ({ monthly_credit_limit: limit, spent_this_month: spent }: Member): string =>
  limit === null ? `${number(spent)}, no limit` : `${number(spent)} of ${number(limit)}`

const Members = ({ members, monthEndsAt, readAnew }: {
  readonly members: ReadonlyArray<Member>
  readonly monthEndsAt: string
  /** The member as they are by now. */
  readonly readAnew: (id: string) => Promise<Member | undefined>
}) => {
  const [opened, setOpened] = useState<Member | null>(null)
  const member = opened === null ? undefined : memberOf(members, opened.member_id)
  const nameOf = useCountyNames()
  const open = async (row: Member) => setOpened(await readAnew(row.member_id) ?? row)
  return (
    <section className={page["panel"]} aria-label="Members that there are">
      <WideTable
        caption={`Credits are those of this month; they begin anew ${momentOf(monthEndsAt)}.`}
        columns={["Member", "Role", "Seat", "Counties", "Credits spent", numbers("Assistants"), actions]}
        label="Members"
      >
        {members.map((each) => (
          <tr key={each.member_id}>
            <th scope="row">
              {each.name}
              <div className="quiet">{each.email}</div>
            </th>
            <td>{each.status === "removed" ? "Removed" : roles[each.role]}</td>
            <td>{each.seat ? "Yes" : "No"}</td>
            <td>
              {each.territory === null ? "Everything" : each.territory.county_fips.map(nameOf).join("; ") || "Nothing"}
            </td>
            <td>{spendingOf(each)}</td>
            <td className="number">
              {each.connections.filter(({ revoked_at }) => revoked_at === null).length}
            </td>
            <td>
              {each.status === "active" && (
                <button
                  aria-label={`Open ${each.name}`}
                  className="plain"
                  onClick={() => void open(each)}
                  type="button"
                >
                  Open
                </button>
              )}
            </td>
          </tr>
        ))}
      </WideTable>
      {opened !== null && member?.status === "active" && (
        <MemberDetail
          key={member.member_id}
          member={member}
          onClose={() => setOpened(null)}
          opened={opened}
        />
      )}
    </section>
  )
}

type Settings = Required<
  Pick<Input<"app_change_member">, "name" | "role" | "seat" | "territory" | "monthly_credit_limit">
>

const settingsOf = ({ monthly_credit_limit, name, role, seat, territory }: Member): Settings => ({
  name,
  role,
  seat,
  territory: territoryOf(territory),
  monthly_credit_limit
})

/** What a form says of a member. */
const settingsIn = (data: FormData): Settings => {
  const role = textIn(data, "role")
  return {
    name: textIn(data, "name"),
    role: role === "admin" || role === "read_only" ? role : "member",
    seat: data.get("seat") === "on",
    territory: territoryIn(data),
    monthly_credit_limit: limitIn(data, "limit")
  }
}

const Fields = ({ of }: { readonly of: Settings | null }) => (
  <>
    <label>
      Name
      <input autoComplete="off" defaultValue={of?.name ?? ""} maxLength={200} name="name" required />
    </label>
    <div className={style["columns"]}>
      <label>
        Role
        <select defaultValue={of?.role ?? "member"} name="role">
          <option value="member">Member</option>
          <option value="admin">Admin</option>
          <option value="read_only">Reads only</option>
        </select>
      </label>
      <label>
        Credits a month, empty for no limit
        <input defaultValue={of?.monthly_credit_limit ?? ""} min={0} name="limit" step={1} type="number" />
      </label>
    </div>
    <label className={style["check"]}>
      <input defaultChecked={of?.seat ?? true} name="seat" type="checkbox" />
      <span>Has a seat, and may use the app and assistants</span>
    </label>
    <TerritoryChoice of={of?.territory ?? null} />
  </>
)

const MemberDetail = ({ member, onClose, opened }: {
  readonly member: Member
  /** As the member was when they were opened. */
  readonly opened: Member
  readonly onClose: () => void
}) => {
  const { before, changed, saved } = useFormChanges(settingsOf(opened))
  const change = useChange("app_change_member")
  const remove = useChange("app_remove_member")
  const { member_id } = member
  const submit = onSent((data) => {
    const given = changed(settingsIn(data))
    change.mutate({ member_id, ...given }, { onSuccess: () => saved(given) })
  })
  return (
    <section aria-label={`About ${member.name}`}>
      <OpenedHeading as="h2">{member.name}</OpenedHeading>
      <form className={style["form"]} onSubmit={submit}>
        <Fields of={before} />
        <FormEnd change={change} done="Saved.">
          <Confirmed
            disabled={remove.isPending}
            label="Remove"
            onConfirm={() => remove.mutate({ member_id })}
            question={`${member.name} is signed out and let in no more.`}
          />
          <button className="plain" onClick={onClose} type="button">Close</button>
        </FormEnd>
        {remove.error !== null && <RefusalNotice error={remove.error} />}
      </form>
      <SignInLink member={member} />
      <Sessions member={member} />
      <Assistants member={member} />
    </section>
  )
}

type Invited = Pick<Member, "member_id" | "name">

const SignInLink = ({ member }: { readonly member: Invited }) => {
  const issue = useChange("app_issue_sign_in_link")
  return (
    <>
      <h3>Sign-in link</h3>
      {issue.data === undefined
        ? <Act change={issue} input={{ member_id: member.member_id }}>Make a link</Act>
        : (
          <Secret secret={`${location.origin}${paths.signIn}#${issue.data.secret}`} what="The link">
            Signs in as {member.name} once, within {issue.data.minutes} minutes. Give it to nobody else.
          </Secret>
        )}
      {issue.error !== null && <RefusalNotice error={issue.error} />}
    </>
  )
}

const Sessions = ({ member: { member_id } }: { readonly member: Member }) => {
  const asked = useAsked("app_list_member_sessions", { member_id })
  const revoke = useChange("app_revoke_member_sessions")
  return (
    <>
      <h3>Signed in</h3>
      <Answered<"app_list_member_sessions"> asked={asked}>
        {({ sessions }) =>
          sessions.length === 0 ? <p className="quiet">Nowhere at the moment.</p> : (
            <>
              <ul className={page["lines"]}>
                {sessions.map((session) => (
                  <li key={session.session_id}>
                    {browserOf(session.user_agent)}, last used {momentOf(session.last_used_at)}
                    <Act change={revoke} input={{ member_id, session_id: session.session_id }}>Sign out</Act>
                  </li>
                ))}
              </ul>
              <Act change={revoke} input={{ member_id, session_id: null }}>Sign out everywhere</Act>
            </>
          )}
      </Answered>
      {revoke.error !== null && <RefusalNotice error={revoke.error} />}
    </>
  )
}

const Assistants = ({ member: { connections, member_id } }: { readonly member: Member }) => {
  const set = useChange("app_set_member_connections")
  return (
    <>
      <h3>Assistants</h3>
      {connections.length === 0 && <p className="quiet">None is connected.</p>}
      <ul>
        {connections.map(({ client_id, connection_id, first_seen, revoked_at }) => (
          <li key={connection_id}>
            {client_id}, since {momentOf(first_seen)}
            {revoked_at !== null && `, revoked ${momentOf(revoked_at)}`}{" "}
            <Act change={set} input={{ member_id, client_id, revoked: revoked_at === null }}>
              {revoked_at === null ? "Revoke" : "Let in again"}
            </Act>
          </li>
        ))}
      </ul>
      {set.error !== null && <RefusalNotice error={set.error} />}
    </>
  )
}

const NewMember = () => {
  const add = useChange("app_add_member")
  const [added, setAdded] = useState<Invited | null>(null)
  const submit = onSent((data) => {
    const settings = settingsIn(data)
    add.mutate({ email: textIn(data, "email"), ...settings }, {
      onSuccess: ({ member_id }) => setAdded({ member_id, name: settings.name })
    })
  })
  return (
    <section className={page["panel"]} aria-labelledby="new-member">
      <h2 id="new-member">New member</h2>
      <form className={style["form"]} key={added?.member_id} onSubmit={submit}>
        <label>
          Email address
          <input autoComplete="off" name="email" required type="email" />
        </label>
        <Fields of={null} />
        <FormEnd change={add} send="Add" />
      </form>
      <Told said={added}>
        {added !== null && <p>{added.name} is a member now. By a sign-in link they get in.</p>}
      </Told>
      {added !== null && <SignInLink key={added.member_id} member={added} />}
    </section>
  )
}
