// The kinds of values that pawl.toml has, each with the sentence that says what it must be.
// The sentences follow the key, so that they read `ci.timeout is …`.
import * as z from "zod";
import { parseHostRule } from "../core/network/host-rules.ts";
import { parseDuration } from "../lib/duration.ts";

const DURATION_MIN_MS = 1000;
// Node's timers overflow at 24.8 days.
const DURATION_MAX_MS = 20 * 24 * 60 * 60 * 1000;

/** Written "30 min" or "1 h 30 min"; milliseconds afterwards. */
export function duration() {
  return z.string().transform((text, context) => {
    const durationMs = parseDuration(text);
    if (
      durationMs !== undefined &&
      durationMs >= DURATION_MIN_MS &&
      durationMs <= DURATION_MAX_MS
    ) {
      return durationMs;
    }
    const message =
      durationMs === undefined
        ? `is "${text}", which is not a duration. Write a number and a unit, e.g. "90 s", "30 min" or "2 h".`
        : `is "${text}". Write a duration from "1 s" to "20 d".`;
    context.issues.push({ code: "custom", message, input: text });
    return z.NEVER;
  });
}

export const count = (from: number, to: number) => z.int().min(from).max(to);

const isFilled = (value: string): boolean => value.trim() !== "";

/** Kept as it is written: white space may matter to a shell. */
export const text = () => z.string().refine(isFilled, "is empty. Fill it or leave it out.");

/** A program and its arguments; an argument may be empty, the program may not. */
export const argv = () =>
  z
    .array(z.string())
    .max(100)
    .refine(([program = ""]) => isFilled(program), "names no program. Write it first in the list.");

export const projectName = () =>
  matching(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'Use a–z, 0–9 and "-", at most 40 characters, e.g. "my-app".',
  );

export const gateName = () =>
  matching(
    /^[a-z0-9][a-z0-9._-]{0,39}$/,
    'Use a–z, 0–9, ".", "_" and "-", at most 40 characters, e.g. "unit-tests".',
  );

export const variableName = () =>
  accepting(
    /^(?!PAWL_)[A-Za-z_][A-Za-z0-9_]*$/,
    'Use letters, digits and "_"; names that start with PAWL_ are Pawl\'s own.',
  );

/** What git accepts as the name of a branch, apart from rarities. */
export const branchName = () =>
  accepting(
    /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]{1,200}(?<![/.])$/u,
    'Write the name of a branch, e.g. "main".',
  );

/** Inside the checkout, so that a project cannot reach what lies beside it. */
export const innerPath = () =>
  accepting(
    /^(?![/~-])(?!(?:.*\/)?\.\.?(?:\/|$))(?!\.git(?:\/|$))[^\p{Cc}]{1,500}$/u,
    'Write a path inside the repository, without "..", e.g. "node_modules".',
  );

/** A file or folder of this machine. */
export const place = () =>
  accepting(
    /^(?:~?\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\p{Cc}]{1,500}$/u,
    'Write an absolute path or one below "~/", without "..", e.g. "~/.cargo".',
  );

/** A name, or `*.` and a name for all below it, with a port where it is an unusual one. */
export const host = () =>
  text().refine((written) => parseHostRule(written).kind === "rule", {
    error: ({ input }) => {
      const parsed = parseHostRule(String(input));
      const what = parsed.kind === "wrong" ? parsed.what : "";
      return `${JSON.stringify(input)} ${what}. Write a name, e.g. "registry.npmjs.org", "*.example.com" or "git.example.com:2222".`;
    },
  });

/** The name of a remote of the user's, or where one is. */
export const remote = () =>
  accepting(
    /^(?!-)(?!ext::)[^\p{Cc}\s]{1,2000}$/u,
    'Write the name of a remote or its URL, e.g. "backup" or "git@example.org:me/backup.git".',
  );

/** Minutes after midnight. */
export const timeOfDay = () =>
  accepting(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Write hours and minutes, e.g. "08:00".').transform(
    (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
  );

export const url = () =>
  accepting(
    /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/u,
    'Write an address without a password, e.g. "https://ci.example.org".',
  );

export const repository = () =>
  accepting(
    /^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/,
    'Write the owner and the name, e.g. "team/project".',
  );

/** Of this machine: `host:port`; the host is an address, so that nothing has to be looked up. */
export const address = () =>
  accepting(
    /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|localhost):\d{1,5}$/,
    'Write an address and a port of this machine, e.g. "127.0.0.1:8787".',
  );

export const author = () =>
  accepting(
    /^[^<>\p{Cc}]*[^<>\s\p{Cc}] <[^<>\s@]+@[^<>\s]+>$/u,
    'Write "Name <name@example.org>".',
  );

function matching(pattern: RegExp, fix: string) {
  return z.string().regex(pattern, { error: ({ input }) => refusal(input, fix) });
}

/** Not shown to editors: their TOML tools refuse schemas whose patterns look around. */
function accepting(pattern: RegExp, fix: string) {
  return z.string().refine((value) => pattern.test(value), {
    error: ({ input }) => refusal(input, fix),
  });
}

const refusal = (input: unknown, fix: string): string => `is ${JSON.stringify(input)}. ${fix}`;
