import { expect, test } from "vitest";
import type { Question } from "../../core/session/evidence.ts";
import { permissionText, showsQuestion } from "./shows-question.ts";

const RULE = "─".repeat(40);
const CHOICES = [" ❯ 1. Yes", "   2. Yes, and don't ask again", "   3. No", "", " Esc to cancel"];
const above = ["● Bash(npm test)", "  ⎿ ok", "● Bash(git status)"];

const dialog = (...lines: string[]): string => [...above, RULE, ...lines, ...CHOICES].join("\n");
const question = (text: string, choices = ["Yes", "No"]): Question => ({ id: "q1", text, choices });
const bash = (command: string): Question => question(permissionText("Bash", command));
const shows = (text: string, asked: Question): boolean => showsQuestion({ text, question: asked });

test("a dialog about a command is that of the question about it", () => {
  const text = dialog(
    " Bash command",
    "   npm test",
    "   Runs the tests",
    " Do you want to proceed?",
  );
  expect(shows(text, bash("npm test"))).toBe(true);
  expect(shows(text, bash("rm -rf build"))).toBe(false);
});

test("what the conversation above shows is not what the dialog asks", () => {
  const text = dialog(" Bash command", "   rm -rf build", " Do you want to proceed?");
  expect(shows(text, bash("npm test"))).toBe(false);
});

test("a long command is known by its beginning, however it is broken", () => {
  const command = `cd src &&\n  node --test ${"name ".repeat(300)}`;
  const text = dialog(
    " Bash command",
    " │ cd src &&",
    ` │ node --test ${"name ".repeat(6)}`,
    ` │ ${"name ".repeat(8)}…`,
  );
  expect(shows(text, bash(command.slice(0, 1000)))).toBe(true);
});

test("a dialog about a file names it", () => {
  const text = dialog(" Edit file", " src/main.ts", " Do you want to make this edit to main.ts?");
  expect(shows(text, question(permissionText("Edit", "/work/src/main.ts")))).toBe(true);
  expect(shows(text, question(permissionText("Write", "/work/src/other.ts")))).toBe(false);
});

test("a question with choices shows its words", () => {
  const text = [RULE, " ☐ Colour", "Which colour?", "❯ 1. Red", "  2. Blue", RULE].join("\n");
  expect(shows(text, question("Which colour?", ["Red", "Blue"]))).toBe(true);
  expect(shows(text, question("Which shape?", ["Red", "Blue"]))).toBe(false);
  expect(shows(text, question("Which **colour**?", ["Red", "Blue"]))).toBe(true);
});

test("where the screen does not show what it is about, nothing is denied", () => {
  const call = permissionText("WebFetch", '{"url":"https://example.org"}');
  expect(shows(dialog(" Fetch", " https://example.org"), question(call))).toBe(true);
  expect(shows(CHOICES.join("\n"), bash("npm test"))).toBe(true);
  const secret = dialog(" Bash command", "   login --token abc", " Do you want to proceed?");
  expect(shows(secret, bash("login --token [redacted]"))).toBe(true);
});
