// The watched door in a thread of its own: tests wait for git without letting their own thread turn, and
// that git has to come through.
import { parentPort, workerData } from "node:worker_threads";
import { gitea } from "./load.ts";
import { watchExchanges } from "./watch.ts";
import { openDoor } from "./watched-door.ts";

const { description, ...at } = workerData as {
  description: unknown;
  port: number;
  to: number;
  api: string;
};
const watch = watchExchanges(gitea(description), { base: "/api/v1" });
const door = await openDoor(at, watch);
parentPort?.postMessage("open");
await new Promise((resolve) => parentPort?.once("message", resolve));
await door.close();
parentPort?.postMessage({ faults: watch.faults() });
