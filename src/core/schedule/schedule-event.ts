// Facts about schedules. Instants and free memory are told; nothing here is computed from a clock.
import type { ProjectName } from "../ids.ts";
import type { Schedule } from "./schedule.ts";

export type ScheduleEvent =
  | { kind: "schedules-configured"; at: number; project: ProjectName; schedules: Schedule[] }
  /** `next`: undefined where there is none, with the problem. */
  | {
      kind: "schedule-planned";
      at: number;
      name: string;
      next: number | undefined;
      freeMb: number;
      problem: string | undefined;
    }
  /** A person wants it now. */
  | { kind: "schedule-triggered"; at: number; name: string; by: string };
