// `pawl link`: makes a checkout callable as `pawl`, by a link in a folder of the user. It needs no
// root, changes no file of the shell, and says what it did.
import { existsSync, lstatSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { homedir } from "node:os";
import { makeFolder } from "../../config/make-folder.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printJson } from "../output/rows.ts";
import { ownFile } from "../own-command-text.ts";
import { wrapped } from "../output/wrap.ts";
import { pathLine } from "../path-line.ts";

/** The user's umask takes from it, as from any folder that they make. */
const LIKE_ANY = 0o777;

export const addLink: AddCommand = (program, { deps }) => {
  program
    .command("link")
    .description("put this checkout on the PATH as `pawl`")
    .option(
      "--dir <folder>",
      "the folder of the link (default: ~/.local/bin, or ~/bin if only that is on the PATH)",
    )
    .option("--remove", "remove the link")
    .option("--json", "print JSON: what was done")
    .addHelpText(
      "after",
      "\nExamples:\n  ./pawl link\n  pawl link --remove\n  pawl link --dir ~/bin",
    )
    .action((options) => link(deps(), options));
};

type LinkOptions = { dir?: string | undefined; remove?: true; json?: true };

function link(deps: Deps, options: LinkOptions): void {
  const folder = options.dir === undefined ? usualFolder(deps) : resolve(deps.cwd, options.dir);
  const path = join(folder, "pawl");
  const lines = options.remove === true ? removeLink(deps, path) : makeLink(deps, { folder, path });
  if (options.json === true) printJson(deps, { link: path, exists: existsSync(path) });
  else deps.stdout(wrapped(deps, lines.map((line) => `${line}\n`).join("")));
}

const foldersOf = (deps: Deps): string[] => (deps.env["PATH"] ?? "").split(delimiter);

function usualFolder(deps: Deps): string {
  const home = deps.env["HOME"] ?? homedir();
  const [usual = "", other = ""] = [".local/bin", "bin"].map((name) => join(home, name));
  const path = foldersOf(deps);
  return !path.includes(usual) && path.includes(other) ? other : usual;
}

function makeLink(deps: Deps, { folder, path }: { folder: string; path: string }): string[] {
  const target = targetOf();
  makeFolder(folder, {
    what: "the folder",
    hint: "name another one with --dir",
    mode: LIKE_ANY,
  });
  const before = linkAt(path);
  const advice = foldersOf(deps).includes(folder) ? [] : pathAdvice(deps, folder);
  if (before === target) return [`${path} already points to ${target}`, ...advice];
  if (before !== undefined) unlinkSync(path);
  symlinkSync(target, path);
  const was = before === undefined ? "" : ` (it pointed to ${before})`;
  return [`linked ${path} to ${target}${was}`, ...advice];
}

/** The launcher of the checkout. A package has none: npm has put it on the PATH. */
function targetOf(): string {
  const found = ownFile();
  const isCheckout = existsSync(join(found, "../src/cli/main.ts"));
  if (isCheckout) return found;
  throw new OperationError("cannot link this Pawl: it is installed as a package, not a checkout", {
    code: "not-a-checkout",
    hint: "`npm install -g` puts a package on the PATH",
  });
}

function removeLink(deps: Deps, path: string): string[] {
  const found = linkAt(path);
  if (found === undefined) {
    deps.stderr(`there is no link ${path}\n`);
    return [];
  }
  const own = targetOf();
  if (found !== own) {
    throw new OperationError(`cannot remove ${path}: it points to ${found}, not to ${own}`, {
      code: "taken",
      hint: "run `pawl link --remove` of that checkout, or remove the link yourself",
    });
  }
  unlinkSync(path);
  return [`removed ${path}`];
}

/** Where the link leads; undefined where nothing is. A file that is no link belongs to another. */
function linkAt(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return readlinkSync(path);
  throw new OperationError(`${path} is another file, which is not a link`, {
    code: "taken",
    hint: "remove that file, or choose another folder with --dir",
  });
}

function pathAdvice(deps: Deps, folder: string): string[] {
  const { file, line } = pathLine(deps, folder);
  return [
    `${folder} is not on your PATH yet.`,
    `Add this line to ${file}, then open a new terminal:`,
    `  ${line}`,
  ];
}
