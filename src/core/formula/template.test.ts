import { expect, test } from "vitest";
import { fillTemplate, hasChoice, placeholdersIn, templateProblem } from "./template.ts";

test("a choice keeps the part that its variable asks for", () => {
  const text = "{{if pr}}PR {{pr}}{{else}}branch {{branch}}{{end}}.";
  expect(fillTemplate(text, { pr: "7", branch: "b" })).toBe("PR 7.");
  expect(fillTemplate(text, { pr: "", branch: "b" })).toBe("branch b.");
  expect(fillTemplate("{{if not pr}}none{{end}}", { pr: "no" })).toBe("none");
  expect(fillTemplate('{{if a == "x"}}same{{else}}other{{end}}', { a: "x" })).toBe("same");
  expect(fillTemplate('{{if a != "x"}}other{{end}}', { a: "x" })).toBe("");
});

test("choices may be nested, and a tag that is alone on its line leaves no empty line", () => {
  const text = "a\n{{if x}}\n  {{if y}}\nboth\n  {{else}}\nx only\n  {{end}}\n{{end}}\nz\n";
  expect(fillTemplate(text, { x: "1", y: "1" })).toBe("a\nboth\nz\n");
  expect(fillTemplate(text, { x: "1", y: "" })).toBe("a\nx only\nz\n");
  expect(fillTemplate(text, { x: "", y: "1" })).toBe("a\nz\n");
});

test("all names of a text are found, those of choices too", () => {
  expect(placeholdersIn("{{a}} {{if b}}{{ c }}{{else}}{{d}}{{end}} {e} {{ 1 }}")).toEqual([
    "a",
    "b",
    "c",
    "d",
  ]);
  expect([hasChoice("{{a}}"), hasChoice("{{if a}}{{end}}")]).toEqual([false, true]);
});

test("a choice without an end is reported, and its text stays as it is", () => {
  expect(templateProblem("{{if a}} x")).toBe(
    "{{if a}} has no {{end}}. Write {{end}} where the choice ends.",
  );
  expect(fillTemplate("{{if a}} x", { a: "1" })).toBe("{{if a}} x");
  expect(templateProblem("{{if a}} x {{end}}")).toBeUndefined();
});

test("a value is never read as a template again", () => {
  expect(fillTemplate("{{a}}", { a: "{{if b}}x{{end}}{{b}}", b: "1" })).toBe(
    "{{if b}}x{{end}}{{b}}",
  );
});
