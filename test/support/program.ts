// Which Pawl the end-to-end tests run: the package in a folder of its own, which pack.ts builds before
// they begin. PAWL_TEST_MAIN names another one, for instance the sources.
import { join } from "node:path";

/** The entry of a checkout, for tests of what only a checkout does. */
export const SOURCES = join(import.meta.dirname, "../../src/cli/main.ts");

export const MAIN = process.env["PAWL_TEST_MAIN"] ?? SOURCES;

const packed = process.env["PAWL_TEST_PACKED"];

/** As `./pawl` and the package have it: compiling again costs every command half of its time. */
export const COMPILE_CACHE =
  packed === undefined
    ? (process.env["NODE_COMPILE_CACHE"] ?? join(import.meta.dirname, "../../.tools/compile-cache"))
    : join(packed, "compiled");
