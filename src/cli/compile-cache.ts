// Keeps compiled code of the published package between two calls. It imports nothing of Pawl, because
// what is imported before is compiled without the cache. In a checkout the launcher sets
// NODE_COMPILE_CACHE instead.
// Not by its name: a Node without it would fail here before require-node.ts can speak.
import module from "node:module";

const { env } = process;
const cache =
  env["XDG_CACHE_HOME"] ?? (env["HOME"] === undefined ? undefined : `${env["HOME"]}/.cache`);
// Not Node's own choice, a folder in /tmp that another user can make first: code is run from there.
// Where it cannot be written, Node continues without it.
if (cache?.startsWith("/") === true) module.enableCompileCache(`${cache}/pawl/compiled`);
