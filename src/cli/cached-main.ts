// The entry of `pawl` in the published package.
import "./compile-cache.ts";

await import("./main.ts");
