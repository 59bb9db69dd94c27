// The entry of `pawl` in the published package.
import "./require-node.ts";
import "./compile-cache.ts";

await import("./main.ts");
