// The entry of `story-automator` in the published package.
import "./require-node.ts";
import "./compile-cache.ts";

await import("./story-automator.ts");
