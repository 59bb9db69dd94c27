// Options and arguments that several commands take, checked before anything is asked of the daemon.
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { OperationError } from "../lib/operation-error.ts";
import type { Deps } from "./deps.ts";

/** `7` or `#7`. */
export function issueNumber(text: string): number {
  const digits = text.replace(/^#/, "");
  const number = Number(digits);
  if (/^\d+$/.test(digits) && number > 0 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It is not an issue number: write 7 or #7.");
}

export function positiveCount(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

export function integer(text: string): number {
  const number = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It must be a whole number.");
}

/** For options that may be given several times. */
export const collect = (text: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  text,
];

export const collectNumbers = (text: string, before: number[] | undefined): number[] => [
  ...(before ?? []),
  issueNumber(text),
];

/** One meaning per flag: `--all` meant this, past ones, or until nothing moves. It still works. */
export const allProjects = () =>
  new Option("--all-projects", "include all projects, not only the one of this folder").implies({
    all: true,
  });

/** The earlier spelling of `--all-projects` and others, for scripts that have it. */
export const oldAll = () => new Option("--all").hideHelp();

export type BodyOptions = { body?: string | undefined; bodyFile?: string | undefined };

/** The text of `--body` or of the file of `--body-file`; undefined where neither was given. */
export async function bodyFrom(deps: Deps, options: BodyOptions): Promise<string | undefined> {
  if (options.body !== undefined && options.bodyFile !== undefined) {
    throw usage("--body and --body-file cannot be given together");
  }
  return options.bodyFile === undefined ? options.body : deps.readText(options.bodyFile);
}

export const usage = (message: string, hint?: string): OperationError =>
  new OperationError(message, { code: "usage", hint });
