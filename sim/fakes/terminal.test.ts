import { terminalContract, type LifeUnderTest } from "../../src/ports/terminal.contract.ts";
import { endProcess } from "../agents.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { World, type Process } from "../world.ts";
import { createFakeTerminal } from "./terminal.ts";

terminalContract("the simulated terminal", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const terminal = createFakeTerminal(new Life(world, 1));
  const processOf = ({ spawned }: LifeUnderTest): Process => {
    const process = world.processes.get(spawned.process.pid);
    if (process === undefined) throw new Error("no process has this pid");
    return process;
  };
  return {
    terminal,
    async start(run) {
      const dir = `/sim/${run}/1`;
      const env = {
        PAWL_PROJECT: "p1",
        PAWL_ROLE: "dev",
        PAWL_NAME: run,
        PAWL_RUN: run,
        PAWL_EPOCH: "1",
      };
      const spawned = await terminal.spawn({
        name: `dev-${run}`,
        cwd: "/sim/workspace",
        argv: ["agent"],
        env,
        dir,
        logFile: `${dir}/pane.log`,
        size: { columns: 80, rows: 24 },
      });
      return { dir, spawned, marks: { project: "p1", run, epoch: 1 } };
    },
    leave: async (life, code) => endProcess(world, processOf(life), { code, signal: null }),
    exitOf: async ({ dir }) => world.folder(dir).exit,
    finish: (work) => world.clock.until(work),
    close: async () => undefined,
  };
});
