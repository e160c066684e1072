/** How somebody gets into the app by a link: by the command that makes it. */
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
