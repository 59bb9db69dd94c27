// The demo's backlog. The first three are started together and get in each other's way on purpose:
// one is red only together with another, two conflict. Whichever lands first, the others are sent
// back by the merge queue and fixed by the blocks for that.

const block = (script: string, tag = "sh"): string => `\`\`\`${tag}\n${script.trim()}\n\`\`\`\n`;

export type DemoIssue = { title: string; body: string; dependsOn?: number[] };

/** What was done against an older main is thrown away and done again on the new one. */
const AGAIN = "git fetch -q origin && git reset -q --hard origin/main";

const RENAME = `
git mv tools/upper.sh tools/loud.sh
git mv tests/upper.sh tests/loud.sh
for file in tools/*.sh tests/*.sh; do
  sed 's#tools/upper#tools/loud#' "$file" > renamed && cat renamed > "$file"
done
rm renamed`;

const shout = (tool: string): string => `
echo "sh tools/${tool}.sh | tr . !" > tools/shout.sh
echo '[ "$(echo hey. | sh tools/shout.sh)" = HEY! ]' > tests/shout.sh`;

const renameAgain = `${AGAIN}\n${RENAME}\necho "- renamed upper to loud" >> NEWS.md`;

// Copilot CLI refuses a `kill` of its own without a number: the one below stands within a text.
export const DEMO_ISSUES: DemoIssue[] = [
  {
    title: "Rename the tool upper to loud",
    body: [
      "Change everything that uses it, and add the first line of NEWS.md.\n",
      block(`${RENAME}\necho "- renamed upper to loud" > NEWS.md`),
      block(renameAgain, "sh on-conflict"),
      block(renameAgain, "sh on-ci-failure"),
    ].join("\n"),
  },
  {
    title: "Add a tool that shouts",
    body: [
      "It uses upper: its test passes alone, and fails together with the new name.\n",
      block(shout("upper")),
      block(
        `${AGAIN}\nname=upper\n[ -e tools/upper.sh ] || name=loud\n${shout("$name")}`,
        "sh on-ci-failure",
      ),
    ].join("\n"),
  },
  {
    title: "Start a NEWS.md",
    body: [
      "Another issue writes the same line.\n",
      block('echo "- added NEWS.md" > NEWS.md'),
      block(`${AGAIN}\necho "- added NEWS.md" >> NEWS.md`, "sh on-conflict"),
    ].join("\n"),
  },
  {
    title: "Add a tool that counts words",
    body: `Count the words on standard input.\n\n${block(`
echo "wc -w | tr -d ' '" > tools/count.sh
echo '[ "$(echo one two three | sh tools/count.sh)" = 3 ]' > tests/count.sh
`)}`,
  },
  {
    title: "Add a tool that reverses lines",
    body: `The first attempt has a mistake; CI finds it, and the agent fixes it.\n\n${block(`
echo "cat" > tools/reverse.sh
echo '[ "$(echo abc | sh tools/reverse.sh)" = cba ]' > tests/reverse.sh
`)}\n${block('echo "rev" > tools/reverse.sh', "sh on-ci-failure")}`,
  },
  {
    title: "Add a tool that sorts words",
    body: `Print each word once, one per line, sorted. The agent is killed halfway; the next session continues.\n\n${block(`
[ -e tools/sort.sh ] || echo "tr -s ' ' '\\n' | sort -u" > tools/sort.sh
if [ "$PAWL_EPOCH" = 1 ] && [ -z "\${CLAUDECODE-}" ]; then sh -c 'kill -9 "$0"' "$PPID"; exit 1; fi
echo '[ "$(echo b a b | sh tools/sort.sh | tr "\\n" " ")" = "a b " ]' > tests/sort.sh
`)}`,
  },
  {
    title: "Count distinct words",
    body: `Builds on the tools for counting and sorting.\n\n${block(`
echo "sh tools/sort.sh | sh tools/count.sh" > tools/distinct.sh
echo '[ "$(echo b a b | sh tools/distinct.sh)" = 2 ]' > tests/distinct.sh
`)}`,
    dependsOn: [4, 6],
  },
  {
    title: "Describe the tools in README.md",
    body: `List every tool.\n\n${block(`
printf '\\n## Tools\\n\\n' >> README.md
for tool in tools/*.sh; do echo "- $tool" >> README.md; done
echo 'grep -q "## Tools" README.md' > tests/readme.sh
`)}`,
  },
];
