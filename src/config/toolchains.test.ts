import { expect, test } from "vitest";
import { toolsInside } from "./toolchains.ts";

const inside = (paths: string[]) =>
  toolsInside({ root: "/repo", home: "/home/ada", exists: (path) => paths.includes(path) });

test("a toolchain in the home is named where the project uses it", () => {
  const both = ["/home/ada/.rustup", "/home/ada/.cargo/registry", "/home/ada/.pyenv"];
  expect(inside(["/repo/Cargo.toml", ...both])).toEqual({
    read: ["~/.rustup", "~/.cargo/registry"],
    hosts: ["index.crates.io", "static.crates.io"],
  });
  expect(inside(["/repo/pyproject.toml", ...both]).read).toEqual(["~/.pyenv"]);
});

test("a project of several languages names each folder once", () => {
  const found = inside(["/repo/package.json", "/repo/go.mod", "/home/ada/.asdf"]);
  expect(found.read).toEqual(["~/.asdf"]);
  expect(found.hosts).toEqual(["registry.npmjs.org", "proxy.golang.org", "sum.golang.org"]);
});

test("where no tool is recognised nothing is suggested", () => {
  expect(inside(["/home/ada/.rustup"])).toEqual({ read: [], hosts: [] });
});
