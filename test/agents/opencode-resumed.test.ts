// What a resumed session of opencode may do: its new life has another folder for its letters.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { OpencodeDriver } from "../../src/adapters/agent-opencode/opencode-driver.ts";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";

const opencode = agentProgram("opencode");

/** Lives of opencode in one workspace, each with a folder of its own beside it. */
async function makePlace() {
  const stub = await startModelStub();
  const root = mkdtempSync("/tmp/pawl-opencode-");
  const place = { home: join(root, "home"), stub: stub.url };
  for (const [path, text] of Object.entries(STUBBED.opencode.files(place))) {
    mkdirSync(dirname(join(place.home, path)), { recursive: true });
    writeFileSync(join(place.home, path), text);
  }
  const workspace = join(root, "workspace");
  execFileSync("git", ["init", "-q", workspace], { env: { PATH: "/usr/bin:/bin" } });
  onTestFinished(async () => {
    await stub.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const life = (name: string): { driver: OpencodeDriver; dir: string } => {
    const dir = join(root, name);
    mkdirSync(dir);
    const outside = "external_directory";
    const driver = new OpencodeDriver({
      argv: [opencode ?? ""],
      env: { HOME: place.home, PATH: "/usr/bin:/bin", ...STUBBED.opencode.env(place) },
      workspace,
      dir,
      model: undefined,
      settings: {
        permission: [
          { permission: "*", pattern: "*", action: "allow" },
          { permission: outside, pattern: "*", action: "deny" },
          { permission: outside, pattern: `${dir}/*`, action: "allow" },
        ],
        system: "",
      },
      onEvent: () => {},
    });
    return { driver, dir };
  };
  const told = (): string => JSON.stringify(stub.requests.map(({ body }) => body));
  return { life, told };
}

test.skipIf(opencode === undefined)(
  "opencode may read in the session folder of its new life when it is resumed",
  async () => {
    const { life, told } = await makePlace();
    const first = life("first").driver;
    const { conversation } = await first.open({ resume: undefined, history: false });
    await first.prompt("Begin. [[text: ready]]", () => {});
    await first.close();
    const { driver, dir } = life("second");
    const letter = join(dir, "letter.md");
    writeFileSync(letter, "THE-LETTER\n");
    await driver.open({ resume: conversation, history: false });
    await driver.prompt(`[[tool: read ${JSON.stringify({ filePath: letter })}]]`, () => {});
    await driver.close();
    expect(told().includes("THE-LETTER")).toBe(true);
  },
);
