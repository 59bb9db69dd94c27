// What a machine behind the port must tell, as tests: the simulator's and the real one run the same
// suite, so that the fake stays honest.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Machine } from "./machine.ts";

export type MachineUnderTest = {
  machine: Machine;
  /** Of 1 MB, in a folder that is there. */
  file: string;
  folder: string;
  close(): Promise<void>;
};

export function machineContract(name: string, open: () => Promise<MachineUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: MachineUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    test("memory and load are figures that can be compared", async () => {
      const { freeMb, swapUsedMb, ownMb } = await under.machine.memory();
      for (const figure of [freeMb, ownMb]) expect(figure).toBeGreaterThan(0);
      for (const figure of [swapUsedMb, under.machine.loadPerCore()]) {
        expect(figure).toBeGreaterThanOrEqual(0);
      }
      const used = await under.machine.diskUsedPercent(under.folder);
      expect(used).toBeGreaterThanOrEqual(0);
      expect(used).toBeLessThanOrEqual(100);
    });

    test("a file has its size, and one that is not there has none", async () => {
      expect(await under.machine.fileMb(under.file)).toBe(1);
      expect(await under.machine.fileMb(`${under.folder}/absent`)).toBe(0);
    });

    test("what is not there has no lines and no folders, and containers are lines", async () => {
      expect(await under.machine.tail(`${under.folder}/absent`, 3)).toEqual([]);
      expect(await under.machine.folders(`${under.folder}/absent`)).toEqual([]);
      expect(Array.isArray(await under.machine.containers())).toBe(true);
    });
  });
}
