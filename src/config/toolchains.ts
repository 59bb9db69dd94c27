// What a project's own tools need that walls do not show by themselves: toolchains and caches of
// packages in the user's home, and the hosts that packages come from. Folders with credentials in
// them are never named as a whole.
import { join } from "node:path";

type Toolchain = {
  /** A project that has one of these at its top uses it. */
  files: readonly string[];
  /** Below the home. */
  read: readonly string[];
  hosts: readonly string[];
};

const ANY_LANGUAGE = [".asdf", ".local/share/mise"];

const TOOLCHAINS: readonly Toolchain[] = [
  {
    files: ["package.json"],
    read: [".nvm", ".volta", ".fnm", ".local/share/fnm", ...ANY_LANGUAGE],
    hosts: ["registry.npmjs.org"],
  },
  {
    files: ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile"],
    read: [".pyenv", ".local/share/uv", "miniconda3", ...ANY_LANGUAGE],
    hosts: ["pypi.org", "files.pythonhosted.org"],
  },
  {
    files: ["go.mod"],
    read: ["go/pkg/mod", "sdk", ...ANY_LANGUAGE],
    hosts: ["proxy.golang.org", "sum.golang.org"],
  },
  {
    files: ["Cargo.toml"],
    read: [".rustup", ".cargo/registry", ".cargo/git", ...ANY_LANGUAGE],
    hosts: ["index.crates.io", "static.crates.io"],
  },
  {
    files: ["Gemfile"],
    read: [".rbenv", ".rvm", ...ANY_LANGUAGE],
    hosts: ["rubygems.org", "index.rubygems.org"],
  },
  {
    files: ["pom.xml", "build.gradle", "build.gradle.kts"],
    read: [".sdkman/candidates", ".m2/repository", ...ANY_LANGUAGE],
    hosts: ["repo.maven.apache.org", "plugins.gradle.org"],
  },
];

/** `read` as it is written in pawl.toml; only what exists. */
export type ToolsInside = { read: string[]; hosts: string[] };

export function toolsInside({
  root,
  home,
  exists,
}: {
  root: string;
  home: string;
  exists: (path: string) => boolean;
}): ToolsInside {
  const used = TOOLCHAINS.filter(({ files }) => files.some((file) => exists(join(root, file))));
  const read = used.flatMap((tool) => tool.read).filter((folder) => exists(join(home, folder)));
  return {
    read: [...new Set(read)].map((folder) => `~/${folder}`),
    hosts: [...new Set(used.flatMap(({ hosts }) => hosts))],
  };
}
