import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { client } from "../../../support/client/beckon-client.ts";
import { scratchFolder } from "../../../support/service/cli.ts";

const folder = scratchFolder(afterAll);

/** What a shell offers after each of these lines. */
const CASES = [
  { line: "beckon sub", offers: ["submit"], not: ["status"] },
  { line: "beckon submit --mo", offers: ["--mode"], not: ["--name"] },
  { line: "beckon submit --mode ", offers: ["standard", "instant"], not: ["a-file.txt"] },
  { line: "beckon submit a-f", offers: ["a-file.txt"], not: ["--mode"] },
  { line: "beckon call get_proj", offers: ["get_project"], not: ["get_pricing"] },
  { line: "beckon completion ", offers: ["bash", "zsh", "fish"], not: ["submit"] },
];

/** The words of a line, of which the last is being typed. */
const typed = (line: string) => `${line}${line.endsWith(" ") ? '""' : ""}`;

/** How each shell is asked, in one process, what it would offer; zsh itself leaves out what does not begin with the word. */
const SHELLS = {
  bash: (file: string) => [
    "-c",
    `. ${file}
     try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _beckon; echo ">"; printf '%s\\n' "\${COMPREPLY[@]}"; }
     ${CASES.map(({ line }) => `try ${typed(line)}`).join("\n")}`,
  ],
  zsh: (file: string) => [
    "-fc",
    `autoload -U compinit; compinit -D -u; . ${file}; emulate sh; setopt kshglob noshglob
     try() {
       COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _beckon; echo ">"
       for one in "\${COMPREPLY[@]}"; do case $one in "\${COMP_WORDS[$COMP_CWORD]}"*) echo "$one";; esac; done
     }
     ${CASES.map(({ line }) => `try ${typed(line)}`).join("\n")}`,
  ],
  fish: (file: string) => [
    "--no-config",
    "-c",
    `source ${file}; ${CASES.map(({ line }) => `echo '>'; complete -C '${line}'`).join("; ")}`,
  ],
};

const isHere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

test.each(Object.entries(SHELLS).filter(([shell]) => isHere(shell)))(
  "%s completes commands, options, values and files",
  async (shell, argsOf) => {
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, (await client({}, ["completion", shell])).out);
    writeFileSync(join(folder, "a-file.txt"), "");
    const { stdout } = await promisify(execFile)(shell, argsOf(file), { cwd: folder });
    const answers = stdout.split(">\n").slice(1);
    expect(answers).toHaveLength(CASES.length);
    for (const [at, { line, offers, not }] of CASES.entries()) {
      // fish adds a description to each.
      const words = answers[at]!.split("\n").map((one) => one.split("\t")[0]!);
      expect([line, words]).toEqual([line, expect.arrayContaining(offers)]);
      for (const word of not) expect([line, words]).not.toEqual([line, expect.arrayContaining([word])]);
    }
  },
);
