/**
 * Chooses the account that PostgreSQL runs as when this process is root, which PostgreSQL refuses to be.
 *
 * The files of a database belong to the account that runs it, so an existing database decides. A new one goes to
 * whoever owns the folder around it (a person who ran the command with `sudo`), or else to `postgres`, or else to
 * `nobody`. No account is ever created.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"

export interface ServerAccount {
  readonly uid: number
  readonly gid: number
}

interface Account extends ServerAccount {
  readonly name: string
}

const accounts = (): ReadonlyArray<Account> =>
  Fs.readFileSync("/etc/passwd", "utf8").split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":")
    return name === undefined || uid === undefined || gid === undefined
      ? []
      : [{ name, uid: Number(uid), gid: Number(gid) }]
  })

/** `undefined` when this process is no root and simply runs PostgreSQL as itself. */
export const serverAccount = (dataFolder: string): ServerAccount | undefined => {
  if (process.getuid?.() !== 0) return undefined
  let nearest = dataFolder
  while (!Fs.existsSync(nearest)) nearest = Path.dirname(nearest)
  const owner = Fs.statSync(nearest)
  const known = accounts()
  // `initdb` looks its account up by name; the server itself does not.
  if (owner.uid !== 0 && (nearest === dataFolder || known.some(({ uid }) => uid === owner.uid))) {
    return { uid: owner.uid, gid: owner.gid }
  }
  const chosen = known.find(({ name }) => name === "postgres") ?? known.find(({ name }) => name === "nobody")
  if (chosen === undefined) throw new Error("running as root needs an account called postgres or nobody")
  return { uid: chosen.uid, gid: chosen.gid }
}

/** Whether the permissions let the account enter the folder and all above it; access lists are not considered. */
export const canReach = (account: ServerAccount, folder: string): boolean => {
  const { gid, mode, uid } = Fs.statSync(folder)
  const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & search) === 0) return false
  const parent = Path.dirname(folder)
  return parent === folder || canReach(account, parent)
}
