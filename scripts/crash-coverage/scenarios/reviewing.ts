// A reviewer that is an agent: it requests changes once, then approves the fix.
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../../../test/support/pawl.ts";
import { expectEqual, GATE, gates, noProcessLeft, type Scenario } from "../scenario.ts";

const block = (tag: string, ...lines: string[]): string =>
  `\`\`\`${tag}\n${lines.join("\n")}\n\`\`\`\n`;

const answer = (verdict: string): string =>
  `printf '%s' '{"verdict":"${verdict}","verdict_reason":"because","review_markdown":"words"}' > "$PAWL_RESULT_FILE"`;

const ISSUE = [
  block("sh", "echo hello > one.txt"),
  block("sh on-review", "echo world >> one.txt"),
  block(
    "sh review",
    "if grep -q world one.txt; then",
    answer("approve"),
    "else",
    answer("request-changes"),
    "fi",
  ),
].join("\n");

export const reviewRole: Scenario = {
  name: "a reviewer that is an agent",
  points: /^forge\.dismissReview/,
  make: async () => {
    const config = `${SCRIPT_AGENT}${TEST_GATE}[review]\nrole = true\n[merge]\nstrategy = "squash"\n${LIMITS}`;
    const factory = await makeFactory({ config, files: GATE });
    await factory.addIssue({ title: "One", body: ISSUE });
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => {
    const pr = JSON.parse(await factory.ok("pr", "show", "2", "--json")) as {
      reviews: { verdict: string; dismissed: boolean }[];
    };
    const said = pr.reviews.map(({ verdict, dismissed }) => [verdict, dismissed]);
    return [
      ...expectEqual("it landed once", factory.subjects(), ["One (#1)"]),
      ...expectEqual("each head is reviewed once", said, [
        ["request-changes", true],
        ["approve", false],
      ]),
      ...gates(factory, { ref: "main", in: factory.repo }),
      ...(await noProcessLeft(factory)),
    ];
  },
};
