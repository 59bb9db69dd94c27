import { expect, test } from "vitest";
import { resolveUrl, transportOf } from "./submodule-url.ts";

test.each([
  ["../lib.git", "https://forge.example/org/repo.git", "https://forge.example/org/lib.git"],
  ["../../other/lib", "https://forge.example/org/repo/", "https://forge.example/other/lib"],
  ["./lib.git", "https://forge.example/org/repo", "https://forge.example/org/repo/lib.git"],
  ["../lib.git", "git@forge.example:org/repo.git", "git@forge.example:org/lib.git"],
  ["../lib.git", "git@forge.example:repo.git", "git@forge.example:lib.git"],
  ["../lib.git", "/srv/git/repo.git", "/srv/git/lib.git"],
  ["https://else.example/lib", "/srv/git/repo.git", "https://else.example/lib"],
])("%s below %s is %s", (url, base, resolved) => {
  expect(resolveUrl(url, base)).toBe(resolved);
});

test.each([
  ["../../../lib.git", "https://forge.example/org/repo.git"],
  ["../../lib.git", "git@forge.example:repo.git"],
])("%s leads out of %s and is refused", (url, base) => {
  expect(resolveUrl(url, base)).toBeUndefined();
});

test.each([
  ["https://forge.example/lib.git", "http"],
  ["ssh://git@forge.example/lib.git", "ssh"],
  ["git@forge.example:org/lib.git", "ssh"],
  ["git://forge.example/lib.git", "git"],
  ["file:///etc", "path"],
  ["/srv/lib.git", "path"],
  ["ext::sh -c id", undefined],
  ["fd::17", undefined],
  ["-u./payload", undefined],
  ["--upload-pack=id", undefined],
  ["ssh://-oProxyCommand=id/lib", undefined],
  ["ssh://git@-oProxyCommand=id/lib", undefined],
  ["-oProxyCommand=id:lib", undefined],
  ["host:-oProxyCommand=id", undefined],
  ["http+weird://forge.example/lib", undefined],
  ["lib", undefined],
  ["", undefined],
])("%s is fetched by %s", (url, transport) => {
  expect(transportOf(url)).toBe(transport);
});
