/**
 * What runs the check that `docs/webhooks.md` prints for each language: the printed lines, and a program around them that
 * reads a question a line (header, body and secret in base64, the clock) and answers `true` or `false` a line.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The printed check of each language, by the name that its fence has. */
export const printedChecks = (): ReadonlyMap<string, string> => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/webhooks.md"), "utf8")
  return new Map([...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, name = "", code = ""]) => [name, code]))
}

export interface Language {
  /** Answers when the machine has the language. */
  readonly probe: readonly [command: string, ...args: ReadonlyArray<string>]
  /** The files of the program. */
  readonly files: (check: string) => Readonly<Record<string, string>>
  /** The commands that make it, and at last run it. */
  readonly run: ReadonlyArray<readonly [command: string, ...args: ReadonlyArray<string>]>
}

export const languages: Readonly<Record<string, Language>> = {
  ts: {
    probe: [process.execPath, "--version"],
    files: (check) => ({
      "main.mts": `${check}
import { readFileSync } from "node:fs"
for (const line of readFileSync(0, "utf8").split("\\n")) {
  const [header = "", body = "", secret = "", now] = line.split("\\t")
  console.log(isGenuine(header, Buffer.from(body, "base64"), Buffer.from(secret, "base64").toString(), Number(now)))
}
`
    }),
    run: [[process.execPath, "main.mts"]]
  },
  python: {
    probe: ["python3", "--version"],
    files: (check) => ({
      "main.py": `${check}
import base64, sys
for line in sys.stdin.read().split("\\n"):
    header, body, secret, now = line.split("\\t")
    print(str(is_genuine(header, base64.b64decode(body), base64.b64decode(secret).decode(), int(now))).lower())
`
    }),
    run: [["python3", "main.py"]]
  },
  go: {
    probe: ["go", "version"],
    files: (check) => ({
      "check.go": `package main\n${check}`,
      "main.go": `package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	input, _ := io.ReadAll(os.Stdin)
	for _, line := range strings.Split(string(input), "\\n") {
		parts := strings.Split(line, "\\t")
		body, _ := base64.StdEncoding.DecodeString(parts[1])
		secret, _ := base64.StdEncoding.DecodeString(parts[2])
		now, _ := strconv.ParseInt(parts[3], 10, 64)
		fmt.Println(IsGenuine(parts[0], body, string(secret), time.Unix(now, 0)))
	}
}
`
    }),
    run: [["go", "run", "check.go", "main.go"]]
  },
  ruby: {
    probe: ["ruby", "--version"],
    files: (check) => ({
      "main.rb": `${check}
$stdin.read.split("\\n", -1).each do |line|
  header, body, secret, now = line.split("\\t", -1)
  puts genuine?(header, body.unpack1("m"), secret.unpack1("m"), now.to_i)
end
`
    }),
    run: [["ruby", "main.rb"]]
  },
  php: {
    probe: ["php", "--version"],
    files: (check) => ({
      "main.php": `<?php
declare(strict_types=1);
${check}
foreach (explode("\\n", file_get_contents('php://stdin')) as $line) {
    [$header, $body, $secret, $now] = explode("\\t", $line);
    echo json_encode(isGenuine($header, base64_decode($body), base64_decode($secret), (int) $now)), "\\n";
}
`
    }),
    run: [["php", "main.php"]]
  },
  java: {
    probe: ["javac", "--version"],
    files: (check) => ({
      "Webhooks.java": check,
      "Main.java": `import java.util.Base64;

final class Main {
  public static void main(String[] args) throws Exception {
    for (String line : new String(System.in.readAllBytes()).split("\\n")) {
      String[] parts = line.split("\\t");
      byte[] body = Base64.getDecoder().decode(parts[1]);
      String secret = new String(Base64.getDecoder().decode(parts[2]), java.nio.charset.StandardCharsets.UTF_8);
      System.out.println(Webhooks.isGenuine(parts[0], body, secret, Long.parseLong(parts[3])));
    }
  }
}
`
    }),
    run: [["javac", "Webhooks.java", "Main.java"], ["java", "-Xshare:auto", "Main"]]
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

export const hasLanguage = ({ probe: [command, ...args] }: Language): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" })
    return true
  } catch (cause) {
    if (isMissing(cause)) return false
    throw cause
  }
}

export interface Question {
  readonly header: string
  readonly body: Uint8Array
  readonly secret: string
  readonly now: number
}

const lineOf = ({ body, header, now, secret }: Question): string =>
  [header, Buffer.from(body).toString("base64"), Buffer.from(secret).toString("base64"), now].join("\t")

/** What the printed check of the language answers to each question; `folder` is empty. */
export const ask = (
  { files, run }: Language,
  check: string,
  questions: ReadonlyArray<Question>,
  folder: string
): ReadonlyArray<boolean> => {
  for (const [name, text] of Object.entries(files(check))) writeFileSync(join(folder, name), text)
  const input = questions.map(lineOf).join("\n")
  const answers = run.map(([command, ...args]) =>
    execFileSync(command, args, { cwd: folder, input, encoding: "utf8", env: { ...process.env, GO111MODULE: "off" } })
  )
  return (answers.at(-1) ?? "").trimEnd().split("\n").map((answer) => answer === "true")
}
