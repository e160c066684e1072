/** How a member gets into the app where nobody is signed in yet: by a link that a command makes. */
import style from "../admin/Admin.module.css"
import { shellWord } from "./ShellWord.ts"

export const SignInCommand = ({ email, orgId }: { readonly orgId: string; readonly email: string }) => (
  <>
    <p>To sign {email} in, make a link where Freehold runs; it works once:</p>
    <code className={style["secret"]}>
      freehold member link --org {shellWord(orgId)} --email {shellWord(email)}
    </code>
  </>
)
