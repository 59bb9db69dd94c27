// A second project in the factory of a test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles, type Factory } from "./pawl.ts";

/** Another repository of the same factory; its name. */
export async function secondProject(
  factory: Factory,
  text: string,
  files: Record<string, string> = {},
): Promise<string> {
  const folder = join(factory.root, "other");
  const name = `${factory.project}b`;
  mkdirSync(folder);
  factory.gitIn(folder, "init", "-q", "-b", "main");
  const config = factory.config(text);
  const toml = config.replace(factory.project, name);
  writeFiles(folder, { "test.sh": "true\n", "pawl.toml": toml, ...files });
  factory.gitIn(folder, "add", "-A");
  factory.gitIn(folder, "-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", "Begin");
  await factory.client.post("/v1/projects", { folder });
  return name;
}
