import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyTexts, withText } from "./uncertain-text.ts";

function makeLives(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "pawl-lives-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "lives/3"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test.each(["cur", "new"])(
  "a message of two lives ago (%s) is known where only the last life can be seen",
  async (folder) => {
    const root = makeLives({ [`lives/1/inbox/${folder}/m1.md`]: "Id: m1\nKind: nudge\n\nN-1;\n" });
    const uncertain = [{ id: "m1", file: join(root, "lives/1/inbox/cur/m1.md"), accepted: false }];
    const copied = await copyTexts(uncertain, join(root, "lives/3"));
    rmSync(join(root, "lives/1"), { recursive: true });
    const texts = await Promise.all(copied.map(withText));
    expect(texts).toMatchObject([{ id: "m1", text: "Id: m1\nKind: nudge\n\nN-1;\n" }]);
  },
);

test("a message whose file cannot be read is told by its id, not as an empty one", async () => {
  const root = makeLives({ "lives/1/inbox/cur/m1.md/in-the-way": "" });
  const uncertain = [{ id: "m1", file: join(root, "lives/1/inbox/cur/m1.md"), accepted: false }];
  const copied = await copyTexts(uncertain, join(root, "lives/3"));
  expect(copied).toEqual(uncertain);
  expect(await Promise.all(copied.map(withText))).toMatchObject([
    { text: "Id: m1\nKind: notice\n" },
  ]);
});

test("a record that an agent has changed copies no file from outside its own lives", async () => {
  const root = makeLives({ "secret/key": "secret", "lives/1/prompt.md": "" });
  symlinkSync(join(root, "secret"), join(root, "lives/1/inside"));
  symlinkSync(join(root, "secret/key"), join(root, "lives/1/key"));
  const named = ["secret/key", "lives/1/inside/key", "lives/1/key", "lives/1/../../secret/key"];
  const uncertain = named.map((path) => ({ id: path, file: `${root}/${path}`, accepted: false }));
  const dir = join(root, "lives/3");
  expect(await copyTexts(uncertain, dir)).toEqual(uncertain);
});
