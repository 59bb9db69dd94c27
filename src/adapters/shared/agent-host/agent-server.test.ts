import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { AgentServer } from "./agent-server.ts";

const never = async (): Promise<undefined> => undefined;

function started(argv: string[]): AgentServer {
  const folder = mkdtempSync(join(tmpdir(), "pawl-server-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return new AgentServer({ argv, env: {}, cwd: folder, log: join(folder, "log") });
}

test("a server that ends before it is ready leaves its conversation to the next life", async () => {
  const server = started(["/bin/sh", "-c", "echo no memory; exit 3"]);
  await expect(server.ready(never)).rejects.toMatchObject({
    name: "ProgramEnded",
    message: "it ended at once (exit code 3): no memory",
  });
});

test("a server that is not there is called missing", async () => {
  await expect(started(["/nonexistent/server"]).ready(never)).rejects.toMatchObject({
    code: "ENOENT",
  });
});

test("a server that does not answer in time is given up, whatever the clock says", async () => {
  const server = started(["/bin/sleep", "600"]);
  onTestFinished(() => server.close());
  const time = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(120_001);
  onTestFinished(() => time.mockRestore());
  await expect(server.ready(never)).rejects.toMatchObject({
    name: "ProgramEnded",
    message: "it did not answer within 120 s",
  });
});

test("why a server ended is what it said last, however much it has said", async () => {
  const much = "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo no memory; exit 3";
  await expect(started(["/bin/sh", "-c", much]).ready(never)).rejects.toThrow(/no memory$/);
});
