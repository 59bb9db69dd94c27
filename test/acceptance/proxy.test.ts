// A forge that only a proxy reaches: Pawl asks it through the proxy that git would use.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory, work } from "../support/forge-factory.ts";
import { startProxy } from "../support/proxy.ts";

test.each(["https_proxy and http_proxy", "http.proxy of git's configuration"])(
  "an issue of a forge behind a proxy lands: %s",
  async (how) => {
    await using factory = await makeForgeFactory();
    await using proxy = await startProxy(factory.fake.url);
    const rules = factory.read("repo", "pawl.toml");
    const behind = rules.replace(factory.fake.url, "http://forge.invalid");
    factory.commit({ "pawl.toml": behind }, "Behind a proxy");
    factory.git("push", "-q", "origin", "main");
    if (how.startsWith("http.proxy")) {
      const config = `[http]\n\tproxy = ${proxy.url}\n`;
      writeFileSync(join(factory.root, "user", ".gitconfig"), config);
    } else {
      factory.env["http_proxy"] = proxy.url;
      factory.env["https_proxy"] = proxy.url;
    }
    await factory.fileIssue("Add one", work("one"));
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect(code, stderr).toBe(0);
    expect(factory.gitIn(factory.bare, "show", "main:one.txt")).toBe("one");
    expect(proxy.hosts.size).toBe(1);
    expect([...proxy.hosts][0]).toMatch(/^forge\.invalid(?::80)?$/);
  },
);
