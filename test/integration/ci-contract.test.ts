import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBuiltinCi } from "../../src/adapters/ci-builtin/builtin-ci.ts";
import type { RememberedCheck } from "../../src/adapters/ci-builtin/memory.ts";
import { commitId, treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { ciContract } from "../../src/ports/ci.contract.ts";

ciContract("the built-in CI", async () => {
  const root = await mkdtemp(join(tmpdir(), "pawl-ci-contract-"));
  const records = new Map<string, RememberedCheck>();
  let trees = 0;
  const ci = createBuiltinCi({
    dir: join(root, "ci"),
    git: {
      checkout: async ({ commit, path }) => {
        await rm(path, { recursive: true, force: true });
        await cp(join(root, "trees", commit), path, { recursive: true });
        return { tree: treeId(`tree-${commit}`) };
      },
    },
    records: {
      get: async (key) => records.get(key),
      put: async (key, value) => void records.set(key, value),
    },
    environment: { PATH: process.env["PATH"] ?? "" },
    slots: 1,
    now: () => 1_800_000_000_000,
    crash: noCrash,
    graceMs: 200,
  });
  return {
    ci,
    async tree(kind) {
      trees += 1;
      const name = String(trees);
      await mkdir(join(root, "trees", name), { recursive: true });
      await writeFile(join(root, "trees", name, "kind"), kind);
      return { commit: commitId(name), tree: treeId(`tree-${name}`) };
    },
    gates: [
      { name: "test", command: "cat kind; grep -q green kind", timeoutMs: 60_000 },
      { name: "lint", command: "true", timeoutMs: 60_000 },
    ],
    finish: (work) => work,
    close: () => rm(root, { recursive: true, force: true }),
  };
});
