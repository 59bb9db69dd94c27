import { expect, test } from "vitest";
import { parseRemoteUrl } from "./remote-url.ts";

test.each([
  ["https://codeberg.org/team/app.git", "https://codeberg.org", "team/app"],
  ["https://ann:secret@codeberg.org/team/app", "https://codeberg.org", "team/app"],
  ["http://127.0.0.1:3000/team/app.git/", "http://127.0.0.1:3000", "team/app"],
  ["https://example.org/git/team/app.git", "https://example.org/git", "team/app"],
  ["git@github.com:team/app.git", "https://github.com", "team/app"],
  ["ssh://git@codeberg.org:2222/team/app.git", "https://codeberg.org", "team/app"],
])("%s is a repository of a forge", (remote, url, repo) => {
  expect(parseRemoteUrl(remote)).toMatchObject({ url, repo });
});

test.each(["/srv/git/app.git", "../app.git", "file:///srv/app.git", "https://example.org/app", ""])(
  "%s is none",
  (remote) => {
    expect(parseRemoteUrl(remote)).toBeUndefined();
  },
);
