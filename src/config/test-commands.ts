// Guesses how a project runs its tests, from the files at its root. A guess is offered to a person
// and written with its reason; it never counts as stated by them.
import { parseObject } from "../lib/json-object.ts";

export type TestCommand = {
  command: string;
  setup: string | undefined;
  keep: string[];
  /** The file it was read from. */
  from: string;
};

export type Files = {
  readFile: (path: string) => Promise<string | undefined>;
  exists: (path: string) => Promise<boolean>;
};

/** All that apply, the likeliest first. Paths are relative to the root. */
export async function guessTestCommands(files: Files): Promise<TestCommand[]> {
  const guesses = [guessNode, guessMake, guessCargo, guessGo, guessPython, guessScript];
  const found = await Promise.all(guesses.map((guess) => guess(files)));
  return found.filter((guess) => guess !== undefined);
}

const PACKAGE_TOOLS = [
  { lock: "pnpm-lock.yaml", command: "pnpm test", setup: "pnpm install --frozen-lockfile" },
  { lock: "yarn.lock", command: "yarn test", setup: "yarn install --frozen-lockfile" },
  { lock: "bun.lock", command: "bun run test", setup: "bun install --frozen-lockfile" },
  { lock: "package-lock.json", command: "npm test", setup: "npm ci" },
];

async function guessNode(files: Files): Promise<TestCommand | undefined> {
  const manifest = parseManifest(await files.readFile("package.json"));
  const script = manifest.scripts?.["test"];
  // What `npm init` writes fails on purpose.
  if (typeof script !== "string" || script.includes("no test specified")) return undefined;
  const from = "package.json";
  for (const { lock, command, setup } of PACKAGE_TOOLS) {
    if (await files.exists(lock)) return { command, setup, keep: ["node_modules"], from };
  }
  const isBare = manifest.dependencies === undefined && manifest.devDependencies === undefined;
  if (isBare) return { command: "npm test", setup: undefined, keep: [], from };
  return { command: "npm test", setup: "npm install", keep: ["node_modules"], from };
}

type Manifest = {
  scripts?: Record<string, unknown>;
  dependencies?: unknown;
  devDependencies?: unknown;
};

/** Only the user can fix a broken package.json; nothing is guessed from it. */
const parseManifest = (text: string | undefined): Manifest => parseObject(text ?? "") ?? {};

async function guessMake({ readFile }: Files): Promise<TestCommand | undefined> {
  for (const from of ["Makefile", "makefile", "GNUmakefile"]) {
    const text = await readFile(from);
    if (text === undefined) continue;
    const target = /^(test|check)\s*:(?!=)/m.exec(text)?.[1];
    if (target !== undefined) return plain(`make ${target}`, from);
  }
  return undefined;
}

async function guessCargo({ exists }: Files): Promise<TestCommand | undefined> {
  if (!(await exists("Cargo.toml"))) return undefined;
  return { ...plain("cargo test", "Cargo.toml"), keep: ["target"] };
}

async function guessGo({ exists }: Files): Promise<TestCommand | undefined> {
  return (await exists("go.mod")) ? plain("go test ./...", "go.mod") : undefined;
}

async function guessPython({ readFile, exists }: Files): Promise<TestCommand | undefined> {
  if (await exists("pytest.ini")) return plain("python3 -m pytest", "pytest.ini");
  for (const from of ["pyproject.toml", "setup.cfg", "tox.ini", "requirements-dev.txt"]) {
    const text = await readFile(from);
    if (text !== undefined && /\bpytest\b/.test(text)) return plain("python3 -m pytest", from);
  }
  return undefined;
}

async function guessScript({ exists }: Files): Promise<TestCommand | undefined> {
  for (const from of ["test.sh", "run-tests.sh", "scripts/test.sh"]) {
    if (await exists(from)) return plain(`sh ${from}`, from);
  }
  return undefined;
}

const plain = (command: string, from: string): TestCommand => {
  return { command, setup: undefined, keep: [], from };
};
