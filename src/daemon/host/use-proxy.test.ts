import { expect, test } from "vitest";
import { proxiesOf } from "./use-proxy.ts";

test("git's configuration counts before the environment, and an empty one means no proxy", () => {
  const env = { http_proxy: "http://env:1", HTTPS_PROXY: "http://env:2", no_proxy: "" };
  expect(proxiesOf(env, undefined)).toEqual({
    http_proxy: "http://env:1",
    https_proxy: "http://env:2",
  });
  const configured = { http_proxy: "http://set:3", https_proxy: "http://set:3" };
  expect(proxiesOf(env, "set:3")).toEqual(configured);
  expect(proxiesOf(env, "")).toEqual({});
});

test("a proxy that is not spoken to over HTTP is left alone", () => {
  expect(proxiesOf({ all_proxy: "socks5://localhost:1080" }, undefined)).toEqual({});
  expect(proxiesOf({ HTTP_PROXY: "http://git-ignores-it:1" }, undefined)).toEqual({});
});

test("a host in no_proxy stands for the hosts below it, too", () => {
  const { no_proxy } = proxiesOf({ no_proxy: "corp.example, 10.0.0.1 .lan,*" }, undefined);
  expect(no_proxy).toBe("corp.example,.corp.example,10.0.0.1,.lan,*");
});
