// Conventions as tests: what a reviewer would otherwise have to say again and
// again. Each rule reads the sources as text and lists what breaks it.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

type Source = { path: string; text: string };

function read(pattern: string | string[]): Source[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((path) => !/(^|\/)(node_modules|dist|\.tools)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

const SOURCES = read(["src/**/*.ts", "src/**/*.tsx", "sim/**/*.ts", "web/**/*.{ts,tsx}"]);
const PRODUCTION = SOURCES.filter(({ path }) => !isTest(path));
const CORE = PRODUCTION.filter(({ path }) => path.startsWith("src/core/"));

// Contract suites are tests that live beside what they test.
function isTest(path: string): boolean {
  return /\.(test|contract)\.tsx?$/.test(path) || basename(path) === "conformance.ts";
}

// What each folder may import besides itself: lib ← core ← ports ← {adapters,
// store} ← daemon; api ← {daemon, cli, page}; config ← {daemon, cli}.
const ALLOWED: Record<string, string[]> = {
  lib: [],
  core: ["lib"],
  ports: ["lib", "core"],
  adapters: ["lib", "core", "ports"],
  store: ["lib", "core", "ports"],
  api: ["lib", "core"],
  config: ["lib", "core", "ports"],
  daemon: ["lib", "core", "ports", "adapters", "store", "api", "config"],
  cli: ["lib", "api", "config"],
  sim: ["lib", "core", "ports", "daemon", "store"],
  page: ["api"],
};

// Where no daemon runs, a command runs the loop itself; these files start it.
// The monitoring commands work without a daemon altogether.
const MAY_IMPORT_DAEMON = [
  "src/cli/in-process.ts",
  "src/cli/daemon-main.ts",
  "src/cli/monitoring-door.ts",
];

// The runtimes as data: what an agent program is called, how it is set up and tried. The schema of
// pawl.toml, `pawl init` and `pawl demo` read it; nothing else of an adapter is known outside.
const RUNTIMES = "src/adapters/runtimes.ts";

type Import = { from: string; specifier: string };

function importsOf({ path, text }: Source): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;
  return [...withoutComments(text).matchAll(pattern)].map((match) => ({
    from: path,
    specifier: match[1] ?? match[2] ?? match[3] ?? "",
  }));
}

// Good enough for our formatted sources: "//" inside a string is kept because a
// comment starts the line or follows a space.
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

function resolve({ from, specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return relative(ROOT, join(ROOT, dirname(from), specifier));
}

function folderOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "src" ? second : first;
}

// The folder of one adapter: src/adapters/git-cli/… → git-cli.
function adapterOf(path: string): string | undefined {
  return /^src\/adapters\/([^/]+)\//.exec(path)?.[1];
}

const IMPORTS = PRODUCTION.flatMap(importsOf);

test("every folder of sources has its place in the order of dependencies", () => {
  const folders = new Set(SOURCES.map(({ path }) => folderOf(path)));
  expect([...folders].filter((folder) => !Object.hasOwn(ALLOWED, folder))).toEqual([]);
});

test("folders import only what is below them", () => {
  const violations = IMPORTS.filter((edge) => {
    const target = resolve(edge);
    if (target === undefined) return false;
    const [from, to] = [folderOf(edge.from), folderOf(target)];
    if (from === to || ALLOWED[from]?.includes(to) || target === RUNTIMES) return false;
    return !(to === "daemon" && MAY_IMPORT_DAEMON.includes(edge.from));
  });
  expect(violations).toEqual([]);
});

test("production code imports no test, no contract suite and no test support", () => {
  const violations = IMPORTS.filter((edge) => {
    const target = resolve(edge);
    return target !== undefined && (isTest(target) || target.startsWith("test/"));
  });
  expect(violations).toEqual([]);
});

test("adapters do not import each other, only what they share", () => {
  const violations = IMPORTS.filter((edge) => {
    const from = adapterOf(edge.from);
    const to = adapterOf(resolve(edge) ?? "");
    return from !== undefined && to !== undefined && to !== from && to !== "shared";
  });
  expect(violations).toEqual([]);
});

test("only the daemon wires adapters and stores together", () => {
  const violations = IMPORTS.filter((edge) => {
    const target = resolve(edge) ?? "";
    const [from, to] = [folderOf(edge.from), folderOf(target)];
    return target !== RUNTIMES && to === "adapters" && from !== "adapters" && from !== "daemon";
  });
  expect(violations).toEqual([]);
});

// Where adapters are chosen and wired; no other file of the daemon knows one of them. Code that
// they share (running a program, writing a file whole) is a tool, not an adapter.
const WIRES_ADAPTERS = [
  "src/daemon/host/wire.ts",
  "src/daemon/host/load-adapters.ts",
  "src/daemon/host/wire-ci-server.ts",
  "src/daemon/host/forges.ts",
  "src/daemon/notify/open-channel.ts",
  "src/daemon/monitoring/monitor-place.ts",
];

test("few files of the daemon know an adapter", () => {
  const violations = IMPORTS.filter((edge) => {
    const to = adapterOf(resolve(edge) ?? "");
    const isDaemon = folderOf(edge.from) === "daemon";
    return isDaemon && to !== undefined && to !== "shared" && !WIRES_ADAPTERS.includes(edge.from);
  });
  expect(violations).toEqual([]);
});

test("the core and the ports import no package and nothing of Node", () => {
  const pure = ["core", "ports"];
  const violations = IMPORTS.filter(
    ({ from, specifier }) => pure.includes(folderOf(from)) && !specifier.startsWith("."),
  );
  expect(violations).toEqual([]);
});

// Each of these would make two runs of the simulator with one seed differ.
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bconsole\.|\bperformance\.|\bcrypto\./;

test("the core reads no clock, no randomness, no environment, and starts nothing", () => {
  expect(linesMatching(CORE, IMPURE)).toEqual([]);
});

// What an agent program is called is known to its own folder and to one line of the registry. The
// rest of the sources names none, so that a new runtime changes nothing but these two.
const AGENT_NAMES = /claude|codex|gemini|opencode|copilot|anthropic/i;

test("the core names no agent program, in code, comment or test", () => {
  const core = SOURCES.filter(({ path }) => path.startsWith("src/core/"));
  const naming = core.filter(({ text }) => AGENT_NAMES.test(text));
  expect(naming.map(({ path }) => path)).toEqual([]);
});

// Each with its reason.
const NAMES_AGENTS: Record<string, string> = {
  "src/adapters/runtimes.ts": "the registry: one line per runtime",
  "src/adapters/session-gateway/limit-in-answer.ts": "a header of one vendor's API",
  "src/adapters/session-gateway/model-http.ts": "the form of errors where no key is known",
  "src/adapters/session-gateway/providers.ts": "vendors' APIs",
  "src/adapters/shared/claude-state.ts": "two runtimes of one program share its folders",
  "src/adapters/shared/prices.ts": "what models cost",
  "src/adapters/session-gateway/used-in-answer.ts": "vendors' APIs",
  "src/cli/commands/agent.ts": "an example in the help",
  "src/cli/commands/demo.ts": "an example in the help",
  "src/cli/demo-issues.ts": "an issue that only the built-in agent may be killed by",
  "src/cli/model-stub/script.ts": "says where the stub's directives are documented",
  "src/cli/model-stub/gemini.ts": "a stub of one vendor's API",
  "src/cli/model-stub/responses.ts": "a stub of one vendor's API",
  "src/cli/model-stub/server.ts": "a stub of several vendors' APIs",
  "src/cli/model-stub/stream.ts": "a stub of one vendor's API",
  "src/cli/commands/orchestrator-helper.ts": "an example in the help",
  "src/config/keys.ts": "an example of a key for models",
  "src/config/schema.ts": "names of keys for models",
  "src/daemon/host/model-keys.ts": "vendors' APIs, and their programs' variables",
  "src/daemon/monitoring/marker.ts": "the path of a marker that scripts look for",
  "src/ports/session-gateway.ts": "the vendors whose APIs the gateway speaks",
};

test("outside of its own folder, an agent program is named only where it must be", () => {
  const naming = PRODUCTION.filter(
    ({ path, text }) =>
      path.startsWith("src/") && !path.startsWith("src/adapters/agent-") && AGENT_NAMES.test(text),
  );
  expect(naming.map(({ path }) => path)).toEqual(Object.keys(NAMES_AGENTS).toSorted());
});

function linesMatching(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    withoutComments(text)
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}

// An agent can put a FIFO wherever it may write: reading it plainly would hold a thread for ever.
// These read only what no agent writes; everything else goes through shared/untrusted-file.ts.
const READS_PLAINLY: Record<string, string> = {
  "src/adapters/agent-claude/claude-agent.ts": "Pawl's own hook script, before the life begins",
  "src/adapters/ci-builtin/ci-log.ts": "logs that Pawl itself writes",
  "src/adapters/commands-local/attempt-record.ts": "/proc",
  "src/adapters/git-cli/checkout.ts": "an index that Pawl's own git wrote",
  "src/adapters/git-cli/checkpoint-remote.ts": "a note of Pawl inside its hub",
  "src/adapters/git-cli/move-checkout.ts": "the user's repository",
  "src/adapters/git-cli/move-files.ts": "the user's repository",
  "src/adapters/git-cli/resolved-files.ts": "results that Pawl itself keeps inside its hub",
  "src/adapters/git-cli/run-resolver.ts": "copies that Pawl itself wrote, outside the checkout",
  "src/adapters/git-cli/untouched.ts": "an index that Pawl's own git wrote",
  "src/adapters/git-cli/user-checkout.ts": "the user's repository",
  "src/adapters/git-cli/watch-workspace.ts": "/proc",
  "src/adapters/machine-proc/machine.ts": "/proc",
  "src/adapters/plugins-user/user-plugins.ts": "the user's plugins",
  "src/adapters/session-gateway/files.ts":
    "files outside the walls, that the daemon or a gateway wrote",
  "src/adapters/shared/leftovers.ts": "/proc",
  "src/adapters/shared/orphans-inside.ts": "/proc",
  "src/adapters/shared/process-table.ts": "/proc",
  "src/adapters/shared/stale-lock.ts": "a note of Pawl inside its hub",
  "src/adapters/shared/work-meter.ts": "/proc",
  "src/adapters/terminal-tmux/life-processes.ts": "/proc",
  "src/adapters/workspace-setup/workspace-setup.ts": "the user's repository",
  "src/daemon/engine/death-notes.ts": "a file of PAWL_HOME",
  "src/daemon/doctor/broken-journal.ts": "the journal's backup",
  "src/daemon/doctor/checks/machine.ts": "/proc",
  "src/daemon/host/bound-home.ts": "the user's factory.toml",
  "src/daemon/host/factory-id.ts": "a file of PAWL_HOME",
  "src/daemon/formulas/library.ts": "formulas of Pawl and of the user's repository",
  "src/daemon/host/held-secrets.ts": "the user's secrets",
  "src/daemon/monitoring/ledger.ts": "a file of PAWL_HOME that only grows",
  "src/daemon/page/assets.ts": "files of Pawl's own program",
  "src/daemon/roles/guide.ts": "files of Pawl's own program",
  "src/daemon/host/register.ts": "the user's repository",
  "src/daemon/host/secrets.ts": "the user's secrets",
};

test("what an agent can write is read only by shared/untrusted-file.ts", () => {
  const plain = /\b(?:readFile|readFileSync|copyFile|copyFileSync|createReadStream|cp|cpSync)\b/;
  const importsPlain = ({ text }: Source): boolean =>
    [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].some(([, names = ""]) =>
      plain.test(names),
    );
  const opensPlain = ({ text }: Source): boolean => /\bopen\([^()]*, "r"\)/.test(text);
  const found = PRODUCTION.filter(({ path }) => /^src\/(?:adapters|daemon)\//.test(path))
    .filter((source) => importsPlain(source) || opensPlain(source))
    .map(({ path }) => path);
  expect(found).toEqual(Object.keys(READS_PLAINLY).toSorted());
});

test("no work is left as a note in the sources", () => {
  const pattern = /\b(?:FIXME|TODO|XXX)\b/;
  const violations = SOURCES.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(violations).toEqual([]);
});

test("no file is named after nothing in particular", () => {
  const banned = /^(?:utils?|helpers?|types|common|misc|index|lib)\.tsx?$/;
  const violations = SOURCES.filter(({ path }) => banned.test(basename(path)));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

// Files of the core that are too plain to test, each with its reason.
const UNTESTED: string[] = [];

// Types and plain tables of constants do nothing.
const DOES_SOMETHING =
  /^export (?:async )?(?:function|class)\b|^export const \w+(?:: [^=]+)? =\s+(?:async )?(?:<[^>]*>)?\([^)]*\)[^;=]*=>/m;

test("every file of the core that does something has a test beside it", () => {
  const violations = CORE.filter(({ path, text }) => {
    if (!DOES_SOMETHING.test(text) || UNTESTED.includes(path)) return false;
    const stem = join(ROOT, path.replace(/\.ts$/, ""));
    return !existsSync(`${stem}.test.ts`) && !existsSync(`${stem}.prop.test.ts`);
  });
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("every file opens by saying what it owns", () => {
  const violations = PRODUCTION.filter(({ text }) => !/^(?:#!.*\n)?(?:\/\/ |\/\*)/.test(text));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("no error is swallowed by an empty catch", () => {
  const pattern = /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*\{\s*\}\s*\)/;
  const violations = PRODUCTION.filter(({ text }) => pattern.test(withoutComments(text)));
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("assets have different names, because the bundle puts them in one folder", () => {
  const names = globSync("src/**/*.{sh,sql,toml}", { cwd: ROOT }).map((path) => basename(path));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("every document has exactly one title", () => {
  const violations = read(["*.md", "{docs,changes,src,sim,test}/**/*.md"])
    .map(({ path, text }) => ({ path, titles: titlesOf(text) }))
    .filter(({ titles }) => titles.length !== 1);
  expect(violations).toEqual([]);
});

function titlesOf(markdown: string): string[] {
  const titles: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined && (fence === undefined || marker.startsWith(fence))) {
      fence = fence === undefined ? marker : undefined;
    }
    if (fence === undefined && line.startsWith("# ")) titles.push(line);
  }
  return titles;
}

test("ARCHITECTURE.md names every folder of src, every folder of the daemon and every file of a run", () => {
  const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const names = PRODUCTION.flatMap(({ path }) => {
    const [top = "", folder = "", inside = "", file] = path.split("/");
    if (folder === "daemon") return [inside];
    if (folder === "core" && inside === "run") return [file ?? ""];
    return top === "src" ? [`src/${folder}`] : [];
  });
  expect([...new Set(names)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test("every file and folder that ARCHITECTURE.md names exists", () => {
  const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  const places = SOURCES.flatMap(({ path }) => [path, dirname(path)]).map((path) => `/${path}`);
  const isThere = (path: string): boolean =>
    existsSync(join(ROOT, path)) || places.some((place) => place.endsWith(`/${path}`));
  expect(named.filter((path) => !isThere(path.replace(/\/$/, "")))).toEqual([]);
});

test("titles of tests are claims, not instructions", () => {
  const titled = read("{src,sim,test}/**/*.test.ts");
  expect(linesMatching(titled, /\b(?:test|it)\(\s*["'`][^"'`]*\bshould\b/)).toEqual([]);
});

test("no committed file names the registry that packages were fetched from", () => {
  const violations = read(["package.json", ".npmrc"]).filter(({ text }) => /registry\./.test(text));
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  expect(violations.map(({ path }) => path)).toEqual([]);
  expect(lock).not.toContain('"resolved"');
});
