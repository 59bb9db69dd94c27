// A factory in which the program of an agent is found on the PATH, as for a user who has installed it.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFactory, PATIENCE_MS, type Factory } from "./pawl.ts";

export async function factoryWith(program: { name: string; path: string }): Promise<Factory> {
  const factory = await makeFactory({ patienceMs: PATIENCE_MS });
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  symlinkSync(program.path, join(bin, program.name));
  factory.env["PATH"] = `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  return factory;
}
