// What happened around messages that were lost or said twice: one red run must explain itself, since
// the next one has other kills at other moments.
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "../../src/lib/json-object.ts";

const LINE_MAX = 160;

export class DeliveryStory {
  readonly #events: { at: number; text: string }[] = [];

  note(text: string): void {
    this.#events.push({ at: Date.now(), text });
  }

  /** `root`: of the factory; `requests`: what the model was asked, with the messages in each. */
  tell(root: string, troubled: readonly number[], requests: readonly Request[] = []): string {
    const events = [
      ...this.#events,
      ...sentIn(root),
      ...conversationsIn(root),
      ...requests.map(({ at, text }) => ({ at, text: `model asked: ${numbersIn(text)}` })),
    ].toSorted((one, other) => one.at - other.at);
    return [
      `Troubled: ${troubled.map((number) => `N-${number}`).join(", ")}`,
      ...events.map(({ at, text }) => `${timeOf(at)} ${text}`),
      "",
      ...troubled.flatMap((number) => [`N-${number}; stands in:`, ...placesOf(root, number)]),
      "",
      ...namedIn(root, "host.json").flatMap(uncertainBefore),
    ].join("\n");
  }
}

type Request = { at: number; text: string };
type Event = { at: number; text: string };

/** What the hosts have noted, by epoch. */
const sentIn = (root: string): Event[] =>
  namedIn(root, "deliveries.jsonl").flatMap((path) =>
    linesOf(path).map((line) => {
      const { at, state, items } = line as { at: number; state: string; items: { id: string }[] };
      const ids = items.map(({ id }) => id.slice(-LINE_MAX)).join(" ");
      return { at, text: `epoch ${epochOf(path)}: ${state} ${ids}` };
    }),
  );

/** What the agents keep on disk, with the messages in each line. */
const conversationsIn = (root: string): Event[] =>
  globSync(["user/.codex/sessions/**/*.jsonl", "user/.claude/projects/**/*.jsonl"], {
    cwd: root,
  }).flatMap((name) =>
    linesOf(join(root, name)).flatMap((line) => {
      const at = Date.parse(String(line["timestamp"]));
      // Some lines of Claude Code have no time.
      if (Number.isNaN(at)) return [];
      const payload = (line["payload"] ?? line["message"] ?? {}) as Record<string, unknown>;
      const item = (payload["item"] ?? {}) as Record<string, unknown>;
      const kinds = [line["type"], payload["type"], payload["role"], item["type"]];
      const words = kinds.filter((kind) => typeof kind === "string").join(" ");
      return { at, text: `  kept …${name.slice(-12, -6)}: ${words} ${numbersIn(line)}`.trimEnd() };
    }),
  );

function uncertainBefore(path: string): string[] {
  const { resume } = (linesOf(path, "whole")[0] ?? {}) as {
    resume?: { conversation: string; uncertain: { id: string; accepted: boolean }[] };
  };
  const uncertain = resume?.uncertain.map(({ id, accepted }) => `${id} (${String(accepted)})`);
  const from = resume === undefined ? "nothing" : `…${resume.conversation.slice(-6)}`;
  return [`epoch ${epochOf(path)} resumes ${from}; uncertain (accepted): ${String(uncertain)}`];
}

const placesOf = (root: string, number: number): string[] =>
  globSync("home/projects/*/runs/*/*/{prompt.md,opening.md,inbox/*/*.md}", { cwd: root })
    .filter((name) => readFileSync(join(root, name), "utf8").includes(`N-${number};`))
    .map((name) => `  ${timeOf(statSync(join(root, name)).ctimeMs)} ${name}`);

const namedIn = (root: string, name: string): string[] =>
  globSync(`home/projects/*/runs/*/*/${name}`, { cwd: root }).map((path) => join(root, path));

const epochOf = (path: string): string => path.split("/").at(-2) ?? "";
const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 23);

function linesOf(path: string, as: "lines" | "whole" = "lines"): Record<string, unknown>[] {
  const text = readFileSync(path, "utf8");
  const parts = as === "whole" ? [text] : text.split("\n");
  return parts.map((part) => parseObject(part)).filter((one) => one !== undefined);
}

const numbersIn = (value: unknown): string =>
  [...JSON.stringify(value).matchAll(/N-\d+(?=;)/g)].map(([found]) => found).join(" ");
