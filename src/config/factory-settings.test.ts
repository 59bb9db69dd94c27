import { expect, test } from "vitest";
import { parseFactorySettings } from "./factory-settings.ts";

test("the bound is read in gigabytes, and without one there is none", () => {
  expect(parseFactorySettings("[home]\nmax_gb = 1.5\n")).toEqual({
    kind: "valid",
    settings: { homeMaxBytes: 1_500_000_000 },
  });
  expect(parseFactorySettings("")).toEqual({ kind: "valid", settings: {} });
});

test("the page is opened at the start only where the file says so", () => {
  expect(parseFactorySettings("[page]\nenabled = true\n")).toEqual({
    kind: "valid",
    settings: { pageEnabled: true },
  });
  expect(parseFactorySettings("[page]\nenabled = false\n")).toMatchObject({ settings: {} });
});

test("the page is served at other origins only with TLS, and each is an exact origin", () => {
  const origins = (text: string) => parseFactorySettings(`[page]\norigins = ["${text}"]\n`);
  for (const good of ["https://host.example.ts.net", "https://host.example.ts.net:8443"]) {
    expect(origins(good)).toEqual({ kind: "valid", settings: { pageOrigins: [good] } });
  }
  for (const bad of [
    "http://host.example.ts.net",
    "https://host.example.ts.net/",
    "https://HOST.example.ts.net",
    "https://a@host.example.ts.net",
    "https://host.example.ts.net:443",
    "host.example.ts.net",
    "https://*.ts.net",
    "*",
  ]) {
    expect([bad, origins(bad).kind]).toEqual([bad, "invalid"]);
  }
});

test("a wrong value and a misspelt key are named with their line", () => {
  expect(parseFactorySettings("[home]\nmax_gb = -1\n")).toMatchObject({
    kind: "invalid",
    problem: expect.stringMatching(/^factory\.toml:2: home\.max_gb: /) as string,
  });
  expect(parseFactorySettings("[home]\nmaxgb = 1\n")).toMatchObject({
    kind: "invalid",
    problem: expect.stringContaining("maxgb") as string,
  });
  expect(parseFactorySettings("[home\n")).toMatchObject({ kind: "invalid" });
});
