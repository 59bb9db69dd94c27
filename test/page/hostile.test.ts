// Markup in every field that an agent, a forge user, a file name or a configuration controls: the page
// shows it as text, in every view, and no script of it runs.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { noChromium, startChromium } from "../support/chromium.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { lane, openPage } from "../support/page-open.ts";
import { shellAgent, type Factory } from "../support/pawl.ts";

/** Each field has its own word, so that a field that is not shown is noticed. */
const hostile = (field: string): string =>
  `<img src=x onerror=window.owned=1>${field}<script>window.owned=1</script>`;

/** What the agent of each issue does, by the issue's title. */
const AGENT = `n=0
spool() { n=$((n + 1)); printf '%s\\n' "$1" > "$PAWL_SPOOL/tmp/$n" && mv "$PAWL_SPOOL/tmp/$n" "$PAWL_SPOOL/new/$n.json"; }
phase() { printf "PHASE:$1\\n" > "$PAWL_PHASE_FILE.new" && mv "$PAWL_PHASE_FILE.new" "$PAWL_PHASE_FILE"; }
rest() { while :; do sleep 1; done; }
case "$(cat "$PAWL_PROMPT_FILE")" in
*does-ask*)
  spool '{"v":1,"kind":"question","id":"q1","text":"${hostile("q-text")}","choices":["${hostile("q-choice")}","no"]}'
  rest ;;
*does-vault*)
  spool '{"v":1,"kind":"vault","id":"v1","what":"${hostile("v-what")}","risk":"high","reversible":false,"action":{"kind":"webhook","endpoint":"https://example.org/notes","method":"POST","headers":{},"body":"${hostile("v-body")}"}}'
  rest ;;
*does-fail*)
  printf 'PHASE:failed\\nReason: ${hostile("reason")}\\n' > "$PAWL_PHASE_FILE"
  rest ;;
*)
  spool '{"v":1,"kind":"hook","work_phase":"implementation","summary":"${hostile("h-summary")}","files":[]}'
  spool '{"v":1,"kind":"tool","tool":"Edit","summary":"${hostile("t-summary")}","file":"a.ts"}'
  spool '{"v":1,"kind":"mail","to":"operator","subject":"${hostile("m-subject")}","body":"${hostile("m-body")}"}'
  spool '{"v":1,"kind":"warning","text":"${hostile("warning")}"}'
  printf '%s\\n' '${hostile("f-line")}' > '${hostile("f-name").replaceAll("/", "_")}.txt'
  git add -A && git commit -qm '${hostile("commit")}'
  phase awaiting_ci
  rest ;;
esac
`;
const FORMULA = `name = "ship"
[[steps]]
id = "ask"
title = "${hostile("s-title")}"
gate = "human"
`;
const PLUGIN = `---\ndescription: "${hostile("p-text")}"\ngate: {type: manual}\nrun: [echo, done]\n---\n`;

async function hostileWorld() {
  const factory = await makeForgeFactory({
    agent: shellAgent(),
    parallel: 4,
    // Its gate fails with the branch of an agent alone, and says something hostile.
    files: {
      "agent.sh": AGENT,
      "test.sh": `ls *.txt >/dev/null 2>&1 || exit 0\necho '${hostile("log")}'\nexit 1\n`,
      ".pawl/formulas/ship.toml": FORMULA,
      "plugins/count/plugin.md": PLUGIN,
    },
  });
  for (const does of ["work", "ask", "vault", "fail"]) {
    await factory.fileIssue(`${hostile(`i-${does}`)}`, `${hostile("i-body")} does-${does}`);
  }
  await factory.ok("init", "--yes");
  await factory.ok("up");
  await factory.ok("formula", "run", "ship", "--detach");
  await factory.ok("plugin", "run", "count");
  await factory.ok("merge-queue", "pause", "--reason", hostile("pause"));
  return factory;
}

/** As it is meant: text that has been read, with no element made of it. */
async function expectShown(page: Page, fields: string[]): Promise<void> {
  for (const field of fields) {
    await expect.poll(() => page.locator("main").innerText()).toContain(hostile(field));
  }
  const made = await page.locator("main img[src=x], main script").count();
  expect([made, await page.evaluate("window.owned")]).toEqual([0, undefined]);
}

describe.skipIf(noChromium)("hostile text in Chromium", () => {
  let browser: Browser;
  let factory: Factory;
  beforeAll(async () => {
    browser = await startChromium();
    factory = await hostileWorld();
  });
  afterAll(async () => {
    await browser?.close();
    await factory?.[Symbol.asyncDispose]();
  });

  test("what agents, forge users, files and settings say is text in every view", async () => {
    const page = await openPage(browser, factory);
    await expectShown(page, ["i-work", "i-ask", "i-vault", "i-fail", "q-text", "q-choice"]);
    await expectShown(page, ["v-what", "v-body", "reason", "t-summary", "warning", "pause"]);
    await expectShown(page, ["s-title"]);
    await factory.until("its check has failed", async () => {
      const { runs } = await factory.status();
      return runs.some(({ ci }) => ci?.state === "failed");
    });
    await page
      .getByRole("link", { name: /i-work/ })
      .first()
      .click();
    const changes = lane(page, "Changes");
    await changes.getByText("f-line").waitFor();
    await page.getByText("Logs of its checks").click();
    await page.getByText("Prompt", { exact: true }).click();
    await page.getByText("Checkpoints", { exact: true }).click();
    await page
      .getByText(/^Show checkpoint/)
      .first()
      .click();
    await expectShown(page, ["f-line", "log", "i-body"]);
    expect(await changes.textContent()).toContain(hostile("f-name").replaceAll("/", "_"));
    await page.evaluate('location.hash = "#/queue"');
    await expectShown(page, ["pause"]);
    await page.evaluate('location.hash = "#/factory"');
    await expectShown(page, ["m-subject", "m-body", "p-text", "s-title"]);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("i-ask");
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").first().textContent()).toContain(hostile("i-ask"));
    expect(await page.evaluate("window.owned")).toBeUndefined();
    await page.context().close();
  });

  test("a page that an agent serves on this machine can put Pawl's page into no frame", async () => {
    const page = await openPage(browser, factory);
    const origin = await page.evaluate<string>("location.origin");
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end(`<iframe src="${origin}/"></iframe>`);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const other = await page.context().newPage();
    const answer = other.waitForResponse(`${origin}/`);
    await other.goto(`http://127.0.0.1:${port}/`);
    expect((await answer).status()).toBe(403);
    expect(await other.frameLocator("iframe").locator("#page").count()).toBe(0);
    server.closeAllConnections();
    server.close();
    await page.context().close();
  });
});
