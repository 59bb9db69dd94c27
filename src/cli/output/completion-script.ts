// Completion scripts for bash, zsh and fish from one table and one small awk program that reads it, so
// that the three cannot differ. A Tab starts Node only where values are asked for that the factory
// alone knows, such as the numbers of issues: then a list command of Pawl itself is run. Libraries for
// this start the whole program at every Tab, which takes ten times as long.

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Words to choose from, or the list command of Pawl that tells them in its first column. */
export type Values = readonly string[] | { list: string };

/** What can follow the words of `path`. */
export type Words = {
  path: string[];
  /** A hidden one is completed once it is typed, and not offered before. */
  subcommands: { word: string; about: string; isHidden: boolean }[];
  options: { word: string; about: string; takesValue: boolean; values: Values }[];
  /** By position; the last one repeats where `isRepeated`. */
  arguments: { values: Values; isRepeated: boolean }[];
};

export function completionScript(shell: (typeof SHELLS)[number], table: Words[]): string {
  const parts = { table: literal(tableText(table)), program: literal(PROGRAM) };
  switch (shell) {
    case "bash":
      return bash(parts);
    case "zsh":
      return zsh(parts);
    case "fish":
      return fish(parts);
  }
}

/**
 * One row each: what it is (Command, Hidden command, Option, option with Value, Argument), where, its
 * word, and what is said of it.
 */
const tableText = (table: Words[]): string =>
  table
    .flatMap(({ path, subcommands, options, arguments: positions }) => {
      const at = path.join(" ");
      return [
        ...subcommands.map(({ word, about, isHidden }) => [isHidden ? "H" : "C", at, word, about]),
        ...options.map(({ word, about }) => ["O", at, word, about]),
        ...options
          .filter(({ takesValue }) => takesValue)
          .map(({ word, values }) => ["V", at, word, valuesText(values)]),
        ...positions.map(({ values, isRepeated }, index) => {
          return ["A", at, isRepeated ? "*" : String(index + 1), valuesText(values)];
        }),
      ];
    })
    .map((row) => row.join("\t"))
    .join("\n");

const valuesText = (values: Values): string =>
  "list" in values ? `@${values.list}` : values.join(" ");

/**
 * Reads the words before the cursor and prints what may follow, a word and what it means in each line.
 * A line that begins with @ names the list command that tells the words. Nothing means: a file.
 */
const PROGRAM = `
BEGIN { FS = "\\t"; count = split(ENVIRON["PAWL_WORDS"], typed, "\\n") }
$1 == "C" || $1 == "H" { isCommand[$2, $3] = 1 }
$1 == "V" { values[$2, $3] = $4; takes[$2, $3] = 1 }
$1 == "A" { argument[$2, $3] = $4 }
{ kind[NR] = $1; at[NR] = $2; word[NR] = $3; about[NR] = $4 }
function offer(text,   words, i, n) {
  if (text ~ /^@/) { print text; return }
  n = split(text, words, " ")
  for (i = 1; i <= n; i++) print words[i]
}
END {
  path = ""; position = 1
  for (i = 1; i <= count; i++) {
    if (typed[i] == "") continue
    if (typed[i] ~ /^-/) {
      from = ((path, typed[i]) in takes) ? path : ""
      if ((from, typed[i]) in takes) {
        i++
        if (i > count) { offer(values[from, typed[i - 1]]); exit }
      }
    } else if ((path, typed[i]) in isCommand) {
      path = path == "" ? typed[i] : path " " typed[i]
      position = 1
    } else position++
  }
  wanted = ENVIRON["PAWL_CURRENT"] ~ /^-/ ? "O" : "C"
  for (i = 1; i <= NR; i++)
    if (kind[i] == wanted && at[i] == path) print word[i] "\\t" about[i]
  if (wanted == "O") exit
  if ((path, position) in argument) offer(argument[path, position])
  else if ((path, "*") in argument) offer(argument[path, "*"])
}`;

type Parts = { table: string; program: string };

/** For bash and zsh: $1 the program, $2 the words before the cursor, $3 the word at the cursor. */
const candidates = ({ table, program }: Parts): string => `_pawl_table=${table}
_pawl_program=${program}
_pawl_candidates() {
  printf '%s\\n' "$_pawl_table" |
    PAWL_WORDS=$2 PAWL_CURRENT=$3 awk "$_pawl_program" |
    while IFS= read -r line; do
      # No file is meant where a list is, even an empty one.
      case $line in @*) printf '@\\n' ;; esac
      case $line in
        '@status') "$1" status 2>/dev/null | awk -F '\\t' '$1 == "run" { print $3 "\\t" $4 }' ;;
        '@git') git for-each-ref --format='%(refname:short)' refs/heads 2>/dev/null ;;
        @*) eval "\\"\\$1\\" \${line#@}" 2>/dev/null | awk -F '\\t' '{ print $1 "\\t" $2 }' ;;
        *) printf '%s\\n' "$line" ;;
      esac
    done
}`;

const bash = (parts: Parts): string => `# Completion of pawl for bash.
${candidates(parts)}
_pawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} before found IFS=$'\\n'
  before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  found=$(_pawl_candidates "\${COMP_WORDS[0]}" "$before" "$current" | cut -f1)
  COMPREPLY=($(compgen -W "$(printf '%s\\n' "$found" | grep -vx @)" -- "$current"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || [ "\${found:0:1}" = @ ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _pawl pawl
`;

const zsh = (parts: Parts): string => `#compdef pawl
# Completion of pawl for zsh.
${candidates(parts)}
_pawl() {
  local line word list=
  local -a found
  for line in "\${(@f)$(_pawl_candidates "$words[1]" "\${(F)words[2,CURRENT-1]}" "$words[CURRENT]")}"; do
    [[ -n $line ]] || continue
    [[ $line == @ ]] && { list=1; continue }
    word=\${line%%$'\\t'*}
    [[ $line == *$'\\t'?* ]] && found+=("\${word//:/\\\\:}:\${line#*$'\\t'}") || found+=("\${word//:/\\\\:}")
  done
  if (( \${#found} )); then _describe pawl found; elif [[ -z $list ]]; then _files; fi
}
if [ "\${funcstack[1]}" = _pawl ]; then _pawl "$@"; else compdef _pawl pawl; fi
`;

const fish = ({ table, program }: Parts): string => `# Completion of pawl for fish.
set -g __pawl_table ${table}
set -g __pawl_program ${program}
function __pawl_candidates
    set -l words (commandline -opc)
    set -lx PAWL_CURRENT (commandline -ct)
    set -lx PAWL_WORDS (string join \\n -- $words[2..-1] | string collect)
    set -l lines (printf '%s\\n' $__pawl_table | awk $__pawl_program)
    if test (count $lines) -eq 0
        __fish_complete_path $PAWL_CURRENT
        return
    end
    for line in $lines
        switch $line
            case '@status'
                $words[1] status 2>/dev/null | awk -F '\\t' '$1 == "run" { print $3 "\\t" $4 }'
            case '@git'
                git for-each-ref --format='%(refname:short)' refs/heads 2>/dev/null
            case '@*'
                $words[1] (string split ' ' (string sub -s 2 $line)) 2>/dev/null | awk -F '\\t' '{ print $1 "\\t" $2 }'
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c pawl -e
complete -c pawl -f -a '(__pawl_candidates)'
`;

/** For all three shells: nothing inside single quotes means anything. */
const literal = (text: string): string => `'${text.replaceAll("'", "’")}'`;
