// Repositories as they are in the wild, on a real Gitea: a private submodule beside them, and Git LFS on
// the forge's own server. An issue lands in each, by the commands a user types. Gitea takes SHA-256
// only with git 2.42 or later, which is newer than Debian's: that is tested without a forge.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHistory, addManyFiles } from "../support/large-repository.ts";
import { HAS_LFS, oidOf } from "../support/lfs-server.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

type Pull = { merged: boolean };

/** `PAWL_LARGE="100000 2048"` is the size that users have; the usual one takes seconds. */
const [FILES = 0, MEGABYTES = 0] = (process.env["PAWL_LARGE"] ?? "1000 5").split(" ").map(Number);

describe.skipIf(noGitea)("on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  /** A repository there, what is in the factory's own pushed to it, and one issue. */
  async function land(
    factory: Factory,
    of: { repo: string; gate: string; files: Record<string, string>; work: string },
  ): Promise<{ show: (path: string) => string }> {
    const { owner } = gitea.tokens;
    const forge = `[forge]\nkind = "gitea"\nurl = "${gitea.url}"\nrepo = "team/${of.repo}"\n`;
    const gate = `[ci]\ncommand = ${JSON.stringify(of.gate)}\n`;
    const config = factory.config(`${SCRIPT_AGENT}${gate}${forge}${LIMITS}`);
    factory.commit({ "pawl.toml": config, ...of.files }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote(of.repo, owner), "main");
    factory.git("remote", "add", "origin", `${gitea.url}/team/${of.repo}.git`);
    const at = `/repos/team/${of.repo}`;
    const label = { name: "backlog", color: "#0075ca" };
    const { id } = await gitea.call<{ id: number }>(owner, `POST ${at}/labels`, label);
    const body = `\`\`\`sh\n${of.work}\n\`\`\`\n`;
    await gitea.call(owner, `POST ${at}/issues`, { title: "Do it", body, labels: [id] });

    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(0);
    const prs = await gitea.call<Pull[]>(owner, `GET ${at}/pulls?state=all`);
    expect(prs.map(({ merged }) => merged)).toEqual([true]);
    const landed = join(factory.root, "landed");
    const quiet = ["-c", "filter.lfs.smudge=", "-c", "filter.lfs.required=false"];
    factory.git(...quiet, "clone", "-q", gitea.remote(of.repo, owner), landed);
    return { show: (path) => factory.gitIn(landed, "show", `HEAD:${path}`) };
  }

  const makeOn = (): Promise<Factory> => {
    const { dev, review } = gitea.tokens;
    return makeFactory({ env: { FORGE_TOKEN: dev, FORGE_REVIEW_TOKEN: review } });
  };

  test("an issue lands in a repository with a private submodule beside it", async () => {
    await gitea.makeRepo("lib", "write");
    await gitea.makeRepo("app", "write");
    await using factory = await makeOn();
    const lib = gitea.remote("lib", gitea.tokens.owner);
    factory.git("submodule", "--quiet", "add", lib, "lib");
    factory.git("config", "-f", ".gitmodules", "submodule.lib.url", "../lib.git");
    const landed = await land(factory, {
      repo: "app",
      gate: "grep -q lib lib/README.md",
      files: {},
      work: "cp lib/README.md copy.md",
    });
    expect(landed.show("copy.md")).toContain("lib");
  });

  test("an issue lands in a large repository, with many files and much history", async () => {
    await gitea.makeRepo("huge", "write");
    await using factory = await makeOn();
    await addHistory(factory, MEGABYTES);
    await addManyFiles(factory, FILES);
    const landed = await land(factory, {
      repo: "huge",
      gate: "test -e blob.bin && test -e d0/e0/f0.txt",
      files: {},
      work: "echo one > one.txt",
    });
    expect(landed.show("one.txt")).toBe("one");
  });

  test.skipIf(!HAS_LFS)("an issue lands in a repository with Git LFS on the forge", async () => {
    await gitea.makeRepo("large", "write");
    await using factory = await makeOn();
    factory.git("lfs", "install", "--local");
    const landed = await land(factory, {
      repo: "large",
      gate: "grep -q old big.bin && ! grep -q git-lfs *.bin",
      files: {
        ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
        "big.bin": "old content\n",
      },
      work: "grep -q old big.bin && echo new content > new.bin",
    });
    const oid = oidOf("new content\n");
    expect(landed.show("new.bin")).toContain(`oid sha256:${oid}`);
    // The forge has the object itself, too.
    factory.gitIn(join(factory.root, "landed"), "lfs", "fetch", "--all");
    const kept = join("landed", ".git", "lfs", "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
    expect(factory.read(kept)).toBe("new content\n");
  });
});
