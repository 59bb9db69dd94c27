// Looks whether a journal file is whole. On a thread of its own: a large file takes a second, and
// the daemon must not stand still for it.
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const LINES_MAX = 5;

/** A text, because a thread of a bundle has no file of its own to start from. */
const LOOK = `
const { DatabaseSync } = require("node:sqlite");
const { parentPort, workerData } = require("node:worker_threads");
let said;
try {
  const db = new DatabaseSync(new URL(workerData.url), { readOnly: true, timeout: 1000 });
  said = db.prepare("PRAGMA quick_check(" + workerData.lines + ")").all().map((row) => String(Object.values(row)[0]));
  db.close();
} catch (error) {
  said = [String(error && error.message)];
}
parentPort.postMessage(said);
`;

/** What is wrong with it, in SQLite's words; empty where it is whole. */
export const checkJournal = (path: string): Promise<string[]> => look(pathToFileURL(path));

/** Of a file that is not being written: then no files of its log are made beside it. */
export function checkBackup(path: string): Promise<string[]> {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return look(url);
}

function look(url: URL): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const workerData = { url: url.href, lines: LINES_MAX };
    const worker = new Worker(LOOK, { eval: true, workerData });
    worker.once("message", (said: string[]) => resolve(said.filter((line) => line !== "ok")));
    worker.once("error", reject);
  });
}
