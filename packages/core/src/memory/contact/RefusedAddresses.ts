/** Who asks not to be mailed means the address, so that it holds for every record in memory that has it. */
import type { Contact } from "../../contact/Contact.ts"
import type { State } from "../MemoryState.ts"

/** The contact with what was asked of its address, whichever record tells it. */
export const withRefusals = (state: State) => {
  const refused = new Set(
    Array.from(
      state.contacts.values(),
      ({ doNotContact, email }) => doNotContact.email ? email?.toLowerCase() : undefined
    )
  )
  return (contact: Contact): Contact =>
    contact.email !== null && refused.has(contact.email.toLowerCase())
      ? { ...contact, doNotContact: { ...contact.doNotContact, email: true } }
      : contact
}
