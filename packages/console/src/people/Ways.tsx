/** How a person is reached, each way beside the person's wish that it is not used: only without one it is a link that begins it. */
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
      {doNotContact.email
        ? (
          <>
            {email}
            <strong>: do not email</strong>
          </>
        )
        : <a href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>{email}</a>}
    </span>
  )

const extensionOf = ({ phoneExtension }: Called): string | null =>
  phoneExtension === null ? null : `ext. ${phoneExtension}`

/** Of a number as it is written, what is dialled: an extension after the call was taken. */
const dialled = (phone: string, extension: string | null): string => {
  const digits = (text: string) => text.replaceAll(/[^\d+]/g, "")
  return `tel:${digits(phone)}${extension === null ? "" : `,${digits(extension)}`}`
}

export const PhoneOf = ({ person }: { readonly person: Called }) => {
  const { doNotContact, phone, phoneExtension } = person
  if (phone === null) return null
  const number = joined([phone, extensionOf(person)], " ")
  return (
    <span>
      {doNotContact.phone ? number : <a href={dialled(phone, phoneExtension)}>{number}</a>}
      {typeof person.phoneLabel === "string" && person.phoneLabel !== "" && `, ${person.phoneLabel}`}
      {doNotContact.phone && <strong>: do not call</strong>}
    </span>
  )
}
