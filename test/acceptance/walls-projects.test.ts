// Projects of npm, pip and go inside walls, offline: what their set-up installs is there for the agent
// and for the CI gates, and nothing of the user's home is needed.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

type Kind = {
  name: string;
  setup: string;
  /** What the set-up leaves in the workspace. */
  installs?: string;
  gate: string;
  files: Record<string, string>;
};

const works = (program: string, ...words: string[]): boolean =>
  spawnSync(program, words, { stdio: "ignore" }).status === 0;

/** A wheel that says hello: pip takes it from a folder, without an index. */
const WHEEL = `import zipfile
with zipfile.ZipFile("wheels/greet-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("greet.py", "WORD = 'hello'\\n")
    info = "greet-1.0.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: greet\\nVersion: 1.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "greet.py,,\\n" + info + "METADATA,,\\n" + info + "WHEEL,,\\n" + info + "RECORD,,\\n")
`;

const NPM: Kind = {
  name: "npm",
  setup: "npm install --offline --no-audit --no-fund",
  installs: "node_modules/greet",
  gate: "npm test",
  files: {
    "package.json": JSON.stringify({
      name: "app",
      version: "1.0.0",
      scripts: { test: `node -e 'require("greet") === "hello" || process.exit(1)'` },
      dependencies: { greet: "file:./greet-npm" },
    }),
    "greet-npm/package.json": JSON.stringify({ name: "greet", version: "1.0.0", main: "i.js" }),
    "greet-npm/i.js": 'module.exports = "hello";\n',
    ".gitignore": "node_modules\npackage-lock.json\nsite\nwheels\n",
  },
};

const PIP: Kind = {
  name: "pip",
  setup: `mkdir -p wheels && /usr/bin/python3 wheel.py && /usr/bin/python3 -m pip install --quiet --no-index --find-links wheels --target site greet`,
  installs: "site/greet.py",
  gate: `mkdir -p wheels && /usr/bin/python3 wheel.py && /usr/bin/python3 -m pip install --quiet --no-index --find-links wheels --target site greet && PYTHONPATH=site /usr/bin/python3 -c 'import greet; assert greet.WORD == "hello"'`,
  files: { "wheel.py": WHEEL },
};

const GO_ENV = "GOPROXY=off GOTOOLCHAIN=local GOFLAGS=-mod=mod GOCACHE=FOLDER";
const GO: Kind = {
  name: "go",
  setup: `${GO_ENV} go build -o /dev/null .`,
  gate: `${GO_ENV} go run . 2>&1 | grep -q hello`,
  files: {
    "go.mod":
      "module example.org/app\n\ngo 1.19\n\nrequire example.org/greet v0.0.0\n\nreplace example.org/greet => ./greet-go\n",
    "main.go": `package main\n\nimport "example.org/greet"\n\nfunc main() { println(greet.Word) }\n`,
    "greet-go/go.mod": "module example.org/greet\n\ngo 1.19\n",
    "greet-go/greet.go": `package greet\n\nconst Word = "hello"\n`,
  },
};

/** Where its compiler and its library are; not everywhere below /usr. */
const goRoot = (): string =>
  spawnSync("go", ["env", "GOROOT"], { encoding: "utf8" }).stdout?.trim() ?? "";

const KINDS = [
  ...(works("npm", "--version") ? [NPM] : []),
  ...(works("/usr/bin/python3", "-m", "pip", "--version") ? [PIP] : []),
  ...(works("go", "version") ? [GO] : []),
];
for (const { name } of [NPM, PIP, GO]) {
  if (!KINDS.some((kind) => kind.name === name)) {
    console.log(`SKIPPED: ${name} inside walls (it is not installed)`);
  }
}

test.skipIf(noWalls || KINDS.length === 0)(
  "set-up and CI gates of npm, pip and go work inside walls, offline, and the work lands",
  async () => {
    const files = Object.assign({}, ...KINDS.map((kind) => kind.files)) as Record<string, string>;
    await using factory = await makeFactory({ files: { ...NPM.files, ...files } });
    const cache = join(factory.root, "go-cache");
    mkdirSync(cache);
    const inside = (text: string): string => text.replaceAll("FOLDER", cache);
    const setup = inside(KINDS.map((kind) => kind.setup).join(" && "));
    const gates = KINDS.map(({ name, gate }) => {
      // A gate has a clean checkout of its own.
      const command = name === "npm" ? `${NPM.setup} && ${gate}` : gate;
      return `[[ci.gates]]\nname = "${name}"\ncommand = ${JSON.stringify(inside(command))}\n`;
    });
    const read = KINDS.includes(GO) ? `read = ["${goRoot()}"]\n` : "";
    const walls = `${WALLS}network = "none"\nwrite = ["${cache}"]\n${read}`;
    factory.commit({
      "pawl.toml": factory.config(
        `${SCRIPT_AGENT}${gates.join("")}${LIMITS}[workspace]\nsetup = ${JSON.stringify(setup)}\n${walls}`,
      ),
    });
    writeFileSync(join(factory.env["HOME"] ?? "", "private"), "");
    const installed = KINDS.flatMap((kind) => kind.installs ?? []);
    const seen = `ls -d ${installed.join(" ")} . > seen.txt && ls -A "$HOME" >> seen.txt`;
    const issue = await factory.addIssue({
      title: "Look at what was installed",
      body: `\`\`\`sh\n${seen}\ngit add -A\ngit commit -qm Look\n\`\`\`\n`,
    });
    await factory.ok("run", "--until-idle");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    const found = factory.git("show", "main:seen.txt").split("\n");
    expect(found.toSorted()).toEqual([".", ...installed].toSorted());
  },
);
