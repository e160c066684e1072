/** `docs/settings.md`: every setting, as the code has it. */
import { groups, type Setting } from "../packages/cli/src/setting/Setting.ts"
import { otherVariables, settings } from "../packages/cli/src/setting/SettingList.ts"

const section = ({ example, form, meaning, name, secret, standard, unset }: Setting<unknown>): string =>
  [
    `### \`${name}\``,
    "",
    meaning,
    "",
    `- Form: ${form}`,
    standard === null ? `- Not set: ${unset}` : `- Default: \`${standard}\``,
    `- Example: \`${example}\``,
    `- Secret: ${secret ? "yes" : "no"}`,
    ""
  ].join("\n")

export const page = (): string =>
  [
    "# Settings",
    "",
    "Environment variables, read once at the start of every command. One that is empty counts as not set. One that does not parse",
    "stops the command with exit code 2 and a line that names it. A variable that begins with `FREEHOLD_` and is none of these gets",
    "a warning with the nearest name. `freehold settings` prints what is in force and where it came from; secrets are hidden.",
    "",
    "<!-- Made by `pnpm reference` from packages/cli/src/setting/SettingList.ts. -->",
    "",
    ...groups.flatMap((group) => [
      `## ${group}`,
      "",
      ...Object.values<Setting<unknown>>(settings).filter((setting) => setting.group === group).map(section)
    ]),
    "## Variables of other programs",
    "",
    "No command of Freehold reads them: those of the files in `deploy`, and of its own tests.",
    "",
    ...otherVariables.map(({ meaning, name }) => `- \`${name}\`: ${meaning}`),
    ""
  ].join("\n")
