// A library beside the repository of a test factory, which the repository pins as a submodule.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Factory } from "./pawl.ts";

/** A library that the repository pins as `lib`, by the URL that .gitmodules has. */
export function addSubmodule(factory: Factory, url: string): string {
  const lib = join(factory.root, "lib.git");
  const made = join(factory.root, "lib-work");
  mkdirSync(made);
  factory.gitIn(made, "init", "-q", "-b", "main");
  factory.gitIn(made, "config", "user.name", "Ada");
  factory.gitIn(made, "config", "user.email", "ada@example.org");
  factory.gitIn(made, "commit", "-q", "--allow-empty", "-m", "Begin");
  factory.shell('cd "$1" && echo pinned > value.txt && git add . && git commit -qm Value', made);
  factory.git("clone", "-q", "--bare", made, lib);
  factory.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "lib");
  factory.git("config", "-f", ".gitmodules", "submodule.lib.url", url);
  factory.shell('cd "$1" && echo newer > value.txt && git commit -qam Newer', made);
  factory.gitIn(made, "push", "-q", lib, "main");
  return lib;
}
