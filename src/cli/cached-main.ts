// The entry of the published package: keeps compiled code between two calls, then becomes main.ts. It
// imports nothing else, because what is imported here is compiled before the cache is in use. In a
// checkout the launcher sets NODE_COMPILE_CACHE instead.
import { enableCompileCache } from "node:module";

const { env } = process;
const cache =
  env["XDG_CACHE_HOME"] ?? (env["HOME"] === undefined ? undefined : `${env["HOME"]}/.cache`);
// Not Node's own choice, a folder in /tmp that another user can make first: code is run from there.
// Where it cannot be written, Node continues without it.
if (cache?.startsWith("/") === true) enableCompileCache(`${cache}/pawl/compiled`);
await import("./main.ts");
