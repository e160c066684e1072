/** How a person is reached, each way beside the person's wish that it is not used. */
import { joined } from "../part/Wording.ts"

interface Wishes {
  readonly doNotContact: { readonly email: boolean; readonly phone: boolean }
}

interface Emailed extends Wishes {
  readonly email: string | null
}

interface Called extends Wishes {
  readonly phone: string | null
  readonly phoneExtension: string | null
  readonly phoneLabel?: string | null
}

export const EmailOf = ({ person: { doNotContact, email } }: { readonly person: Emailed }) =>
  email === null ? null : (
    <span>
      {email}
      {doNotContact.email && <strong>: do not email</strong>}
    </span>
  )

const extensionOf = ({ phoneExtension }: Called): string | null =>
  phoneExtension === null ? null : `ext. ${phoneExtension}`

export const PhoneOf = ({ person }: { readonly person: Called }) =>
  person.phone === null ? null : (
    <span>
      {joined([joined([person.phone, extensionOf(person)], " "), person.phoneLabel ?? null])}
      {person.doNotContact.phone && <strong>: do not call</strong>}
    </span>
  )
