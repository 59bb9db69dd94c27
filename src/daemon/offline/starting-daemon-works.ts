// Whether a daemon that is being started, and does not answer yet, works all the same.
import { workMeter } from "../../adapters/shared/work-meter.ts";

/** `keeper`: the process that started it, and leads its group. Undefined where the system does not tell. */
export const keptWork = (keeper: number | undefined): (() => boolean) | undefined =>
  workMeter(keeper);
