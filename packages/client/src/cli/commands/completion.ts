import { FIELDS } from "../../generated/fields.ts";
import { OPERATIONS } from "../../generated/operations.ts";
import { type Command, onlyOperand, UsageError } from "../command.ts";
import { COMMON } from "../help.ts";

const SHELLS = ["bash", "zsh", "fish"];

/** @param commands the commands to complete, this one included */
export function completion(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    operands: SHELLS.join("|"),
    about: "Print the completion of these commands for a shell",
    detail: [
      'bash: eval "$(beckon completion bash)" in ~/.bashrc',
      'zsh: eval "$(beckon completion zsh)" in ~/.zshrc, after compinit',
      "fish: beckon completion fish > ~/.config/fish/completions/beckon.fish",
    ].join("\n"),
    options: {},
    async run(operands, _, { out }) {
      const shell = onlyOperand(operands, "SHELL");
      if (!SHELLS.includes(shell)) throw new UsageError(`"${shell}" is not one of ${SHELLS.join(", ")}.`);
      const text = shell === "fish" ? fish(commands()) : bash(commands(), shell === "zsh");
      // A shell reads it, which is no terminal and takes no JSON.
      await out(`${text}\n`);
      return undefined;
    },
  };
}

/** The words that may follow a command. */
function wordsOf(command: Command): string[] {
  const operands = { call: Object.values(OPERATIONS).map(({ name }) => name), completion: SHELLS }[command.name] ?? [];
  return [...Object.keys({ ...command.options, ...COMMON }).map((name) => `--${name}`), ...operands];
}

/** Fields of an operation, which follow its name. */
function fieldWords(): [name: string, words: string[]][] {
  return Object.entries(FIELDS).map(([key, { fields }]) => {
    const { name } = OPERATIONS[key as keyof typeof OPERATIONS];
    return [name, Object.keys(fields).map((field) => `${field}=`)];
  });
}

function bash(commands: readonly Command[], isZsh: boolean): string {
  const values = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { values }]) =>
      values ? [`    ${name}:--${option}) words="${values.join(" ")}" files="" ;;`] : [],
    ),
  );
  return [
    ...(isZsh ? ["autoload -U +X bashcompinit && bashcompinit"] : []),
    "_beckon() {",
    `  local words="" files=1 word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"`,
    '  case "$command" in',
    ...commands.map((command) => `    ${command.name}) words="${wordsOf(command).join(" ")}" ;;`),
    "  esac",
    `  [ "$COMP_CWORD" = 1 ] && words="${commands.map(({ name }) => name).join(" ")}"`,
    `  if [ "$command" = call ] && [ "$COMP_CWORD" -gt 2 ]; then case "\${COMP_WORDS[2]}" in`,
    ...fieldWords().map(([name, words]) => `    ${name}) words="${words.join(" ")}" ;;`),
    "  esac; fi",
    '  case "$command:$before" in',
    ...values,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    // Files, for a command that reads them.
    `  case "$command$files" in submit1|visits1) [ "\${word#-}" = "$word" ] && COMPREPLY+=($(compgen -f -- "$word")) ;; esac`,
    "}",
    "complete -o nosort -F _beckon beckon 2> /dev/null || complete -F _beckon beckon",
  ].join("\n");
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const inCommand = (name: string) => `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    "complete -c beckon -f",
    ...commands.map(({ name, about }) => `complete -c beckon -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...commands.flatMap(({ name, options }) =>
      Object.entries({ ...options, ...COMMON }).map(([option, { about, value, values }]) => {
        const argument = value === undefined ? "" : ` -x${values ? ` -a ${quoted(values.join(" "))}` : ""}`;
        return `complete -c beckon ${inCommand(name)} -l ${option}${argument} -d ${quoted(about)}`;
      }),
    ),
    // Files, but not as the value of an option.
    `complete -c beckon -n '__fish_seen_subcommand_from submit visits; and not string match -q -- "--*" (commandline -opc)[-1]' -F`,
    `complete -c beckon ${inCommand("completion")} -a ${quoted(SHELLS.join(" "))}`,
    ...Object.entries(FIELDS).map(([key, { title }]) => {
      const { name } = OPERATIONS[key as keyof typeof OPERATIONS];
      return `complete -c beckon ${inCommand("call")} -a ${name} -d ${quoted(title)}`;
    }),
  ].join("\n");
}
