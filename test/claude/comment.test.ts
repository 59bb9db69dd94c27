// A comment on a line of the diff reaches Claude Code: it is typed with the lines, confirmed by its own
// hook, and worked on.
import { expect, test } from "vitest";
import type { CommentView } from "../../src/api/changes-of.ts";
import type { PairedView } from "../../src/api/page.ts";
import { COMMIT, makeClaudeFactory, noClaude } from "../support/claude.ts";
import { TEST_GATE } from "../support/pawl.ts";

const WORK = `[[bash: echo red > paint.txt]]`;
const ON_COMMENT = `[[on comment]][[bash: echo green > paint.txt && ${COMMIT}]][[end]]`;

test.skipIf(noClaude)(
  "a comment that is made on the page is read and worked on by Claude Code, and the page is told when",
  async () => {
    await using factory = await makeClaudeFactory({ config: TEST_GATE });
    const issue = await factory.addIssue({ title: "Paint", body: `${WORK} ${ON_COMMENT}` });
    await factory.ok("up");
    const link = new URL((await factory.ok("page", "open", "--no-open")).trim());
    const json = { origin: link.origin, "content-type": "application/json" };
    const code = link.hash.replace("#pair=", "");
    const body = JSON.stringify({ code });
    const paired = await fetch(`${link.origin}/pair`, { method: "POST", headers: json, body });
    const { key } = (await paired.json()) as PairedView;
    const cookie = paired.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { ...json, cookie, "x-pawl-page-key": key };
    const of = (what: string): string =>
      `${link.origin}/v1/runs/${issue}/${what}?project=${factory.project}`;

    await factory.until("it has changed the file", async () =>
      (await (await fetch(of("changes"), { headers })).text()).includes("paint.txt"),
    );
    const line = { path: "paint.txt", line: 1, side: "new", code: ["red"] };
    const comment = JSON.stringify({ ...line, text: "Make it green." });
    await fetch(of("comments"), { method: "POST", headers, body: comment });
    await factory.until(
      "it has landed",
      async () => (await factory.runOf(issue)).outcome === "landed",
    );
    expect(factory.git("show", "main:paint.txt")).toBe("green");
    const told = (await (await fetch(of("comments"), { headers })).json()) as CommentView[];
    expect(told).toMatchObject([{ status: "acknowledged", read_at: expect.any(String) }]);
  },
);
