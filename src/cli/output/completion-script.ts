// Completion scripts from a table of words. The scripts start nothing: a Tab must not wait for
// Node.

export const SHELLS = ["bash", "zsh", "fish"] as const;

type Word = { word: string; about: string };
/** What can follow the words of `path`. */
export type Words = { path: string[]; words: Word[]; options: Word[] };

export function completionScript(shell: (typeof SHELLS)[number], table: Words[]): string {
  switch (shell) {
    case "bash":
      return bash(table);
    case "zsh":
      return zsh(table);
    case "fish":
      return fish(table);
  }
}

const all = ({ words, options }: Words): string =>
  [...words, ...options].map(({ word }) => word).join(" ");

/** The words before the cursor that are no options name the command; two are the most there are. */
function cases(table: Words[]): string[] {
  return table.map((entry) => `    ${quote(entry.path.join(" "))}) words=${quote(all(entry))} ;;`);
}

const bash = (table: Words[]): string => `# Completion of pawl for bash.
_pawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} path="" words="" word count=0
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) continue ;; esac
    if [ "$count" -lt 2 ]; then path="\${path:+$path }$word"; count=$((count + 1)); fi
  done
  case $path in
${cases(table).join("\n")}
    *) case \${path%% *} in
${cases(table.filter(({ path }) => path.length === 1))
  .map((line) => `  ${line}`)
  .join("\n")}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _pawl pawl
`;

const zsh = (table: Words[]): string => `#compdef pawl
# Completion of pawl for zsh.
_pawl() {
  local path_="" word
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] || path_="\${path_:+$path_ }$word"
  done
  case $path_ in
${table
  // The first pattern that fits counts: verbs before their nouns.
  .toSorted((a, b) => b.path.length - a.path.length)
  .map(zshCase)
  .join("\n")}
  esac
  if (( \${#found} )); then _describe pawl found; else _files; fi
}
if [ "\${funcstack[1]}" = _pawl ]; then _pawl "$@"; else compdef _pawl pawl; fi
`;

function zshCase({ path, words, options }: Words): string {
  const found = [...words, ...options].map(({ word, about }) =>
    quote(`${word.replaceAll(":", "\\:")}${about === "" ? "" : `:${about}`}`),
  );
  const typed = path.join(" ");
  // Arguments may stand between a verb and the word that is completed.
  const pattern = typed === "" ? "''" : `${quote(typed)}|${quote(`${typed} `)}*`;
  return `    ${pattern}) found=(${found.join(" ")}) ;;`;
}

function fish(table: Words[]): string {
  const lines = table.flatMap(({ path, words, options }) => [
    ...words.map(
      ({ word, about }) => `${fishStart(path, words)} -f -a ${quote(word)}${fishAbout(about)}`,
    ),
    ...options.map(({ word, about }) => {
      return `${fishStart(path, words)} -l ${quote(word.replace(/^--/, ""))}${fishAbout(about)}`;
    }),
  ]);
  return `# Completion of pawl for fish.\n${lines.join("\n")}\n`;
}

function fishStart(path: string[], words: Word[]): string {
  const [noun, verb] = path;
  if (noun === undefined) return "complete -c pawl -n __fish_use_subcommand";
  const seen = (word: string): string => `__fish_seen_subcommand_from ${word}`;
  if (verb !== undefined) return `complete -c pawl -n ${quote(`${seen(noun)}; and ${seen(verb)}`)}`;
  const verbs = words.map(({ word }) => word).join(" ");
  const condition = verbs === "" ? seen(noun) : `${seen(noun)}; and not ${seen(verbs)}`;
  return `complete -c pawl -n ${quote(condition)}`;
}

const fishAbout = (about: string): string => (about === "" ? "" : ` -d ${quote(about)}`);

/** For all three shells: nothing inside single quotes means anything. */
const quote = (text: string): string => `'${text.replaceAll("'", "’")}'`;
