import { expect, test } from "vitest";
import { settingsFor } from "./settings.ts";

const CLAUDE = {
  permissionMode: "dontAsk" as const,
  allow: ["Bash"],
  deny: ["WebFetch"],
  args: [],
};
const PLACES = {
  hookScript: "/e'p/claude-hook.sh",
  workspace: "/w",
  dir: "/ep",
  factory: "/f",
  isWalled: false,
};

test("files may be changed in the workspace and the epoch's folder only", () => {
  expect(settingsFor(CLAUDE, PLACES)["permissions"]).toEqual({
    defaultMode: "dontAsk",
    allow: ["Bash", "Edit(//w/**)", "Edit(//ep/**)"],
    deny: ["WebFetch"],
  });
});

test("a hook whose script has gone lets the tool go on", () => {
  expect(JSON.stringify(settingsFor(CLAUDE, PLACES))).toContain(
    String.raw`[ -r '/e'\\''p/claude-hook.sh' ] || exit 0; exec sh '/e'\\''p/claude-hook.sh' event`,
  );
});

test("permissions are skipped without a dialog only where that was chosen", () => {
  const key = "skipDangerousModePermissionPrompt";
  expect(settingsFor(CLAUDE, PLACES)).not.toHaveProperty(key);
  const skipping = { ...CLAUDE, permissionMode: "bypassPermissions" as const };
  expect(settingsFor(skipping, PLACES)).toHaveProperty(key, true);
});

test("Pawl's own files are guarded in every permission mode", () => {
  const skipping = { ...CLAUDE, permissionMode: "bypassPermissions" as const };
  expect(settingsFor(skipping, PLACES)["hooks"]).toMatchObject({
    PreToolUse: [
      { hooks: [{ command: expect.stringMatching(/ event$/) }] },
      {
        matcher: "^(Edit|MultiEdit|Write|NotebookEdit)$",
        hooks: [{ command: expect.stringMatching(/ guard '\/f' '\/w' '\/ep'$/) }],
      },
    ],
  });
});

test("its own sandbox is off inside walls, and the user's affair without them", () => {
  expect(settingsFor(CLAUDE, PLACES)).not.toHaveProperty("sandbox");
  expect(settingsFor(CLAUDE, { ...PLACES, isWalled: true })).toMatchObject({
    sandbox: { enabled: false },
  });
});
