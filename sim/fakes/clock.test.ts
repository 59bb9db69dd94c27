import { clockContract } from "../../src/ports/clock.contract.ts";
import { SimClock } from "./clock.ts";

clockContract("the simulated clock", () => {
  const clock = new SimClock();
  return { clock, finish: (work) => clock.until(work) };
});
