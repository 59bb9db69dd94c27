// Messages that are typed into a terminal and count only when the agent's own hook has taken them.
// The agent stands where Claude Code would: the same prompt box, the same hook script, no model.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS, makeFactory, TEST_GATE, type Factory } from "../../../test/support/pawl.ts";
import { expectEqual, GATE, landed, type Scenario } from "../scenario.ts";

/** It has a message when its last line came with Enter; until then its box shows the beginning. */
const AGENT = `stty -echo
hook=\${PAWL_SPOOL%/spool}/claude-hook.sh
box() { printf '──────────────\\n❯ %s\\n──────────────\\n' "$1"; }
done_with() { git add -A && git commit -qm One; printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"; }
[ -e tests/late.sh ] || { echo '[ -e late.txt ]' > tests/late.sh; done_with; }
box ''
while IFS= read -r line; do
  case $line in
    "Id: "*) id=$line; read_lines=0; lines=$(cat "$PAWL_INBOX"/*/"\${id#Id: }.md" | wc -l) ;;
    "Kind: "*) kind=$line; box "$id $kind" ;;
  esac
  read_lines=$((read_lines + 1))
  [ "$read_lines" = "$lines" ] || continue
  echo "$PAWL_EPOCH $id" >> "$SEEN"
  printf '{"hook_event_name":"UserPromptSubmit","prompt":"%s\\\\n%s"}' "$id" "$kind" | sh "$hook" prompt
  case $kind in
    *ci-failed*) echo x > late.txt; done_with ;;
    *landed*) exit 0 ;;
  esac
  box ''
done
`;

/** One landing is one commit, so that the target is green at each. */
const SQUASH = `[merge]\nstrategy = "squash"\n`;

export const typed: Scenario = {
  name: "messages that are typed",
  points: /^(session-files\.hold|terminal\.type)/,
  make: async () => {
    const factory = await makeFactory({ files: { ...GATE, "agent.sh": AGENT } });
    const agent = `[agent]\nruntime = "claude"\ncommand = ["sh", "agent.sh"]\n[agent.env]\nSEEN = "${seenIn(factory)}"\n`;
    factory.commit(
      { "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}${SQUASH}`) },
      "Configure",
    );
    await factory.addIssue({ title: "One" });
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => {
    const seen = existsSync(seenIn(factory))
      ? readFileSync(seenIn(factory), "utf8").split("\n")
      : [];
    const subjects = ["Configure", "One (#1)"];
    return [
      ...(await landed(factory, { titles: subjects, runs: 1, ref: "main", in: factory.repo })),
      ...expectEqual("each message is typed once", new Set(seen).size, seen.length),
      ...expectEqual("messages were typed", seen.length > 2, true),
    ];
  },
};

const seenIn = ({ root }: Factory): string => join(root, "seen");
