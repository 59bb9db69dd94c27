// Reading from a private repository on a forge: git is let in by the token alone.
import { expect, test } from "vitest";
import { gitProject, restarted } from "../support/git-project.ts";
import { servePrivately } from "../support/private-http.ts";

const HEADER = "Basic cGF3bDpzZWNyZXQ=";

test("the target and a person's branch of a private repository are fetched with the token", async () => {
  using project = gitProject("remote");
  project.git(project.user, "checkout", "-q", "-b", "theirs");
  const head = project.commit(project.user, { "theirs.txt": "1\n" }, "Theirs");
  project.git(project.user, "push", "-q", "origin", "theirs");
  project.git(project.user, "checkout", "-q", "main");
  project.git(project.user, "branch", "-q", "-D", "theirs");
  project.git(project.remote, "update-server-info");
  await using forge = await servePrivately(project.remote, HEADER);
  const upstream = { kind: "remote", url: `${forge.url}/project.git`, path: project.user } as const;
  const access = { url: forge.url, header: `Authorization: ${HEADER}` };
  const git = restarted(project, { upstream, access });
  expect(await git.fetchTarget()).toBe(project.first);
  const adopted = (await git.adoptBranches({ branches: ["theirs"] }))[0];
  expect(adopted).toMatchObject({ head, from: "upstream", subject: "Theirs" });
  expect((await git.adoptBranches({ branches: ["no-such-branch"] }))[0]).toBeUndefined();
  const stranger = restarted(project, { upstream });
  await expect(stranger.adoptBranches({ branches: ["theirs"] })).rejects.toMatchObject({
    code: "upstream-unreachable",
  });
});

test("a token that a busy forge refuses is shown again", async () => {
  using project = gitProject("remote");
  project.git(project.remote, "update-server-info");
  await using forge = await servePrivately(project.remote, HEADER, { busyFor: 2 });
  const upstream = { kind: "remote", url: `${forge.url}/project.git`, path: project.user } as const;
  const access = { url: forge.url, header: `Authorization: ${HEADER}` };
  expect(await restarted(project, { upstream, access }).fetchTarget()).toBe(project.first);
});
