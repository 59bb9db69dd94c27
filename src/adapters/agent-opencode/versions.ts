// What Pawl knows of the versions of opencode, whose server changes with every one of them.
import {
  tooOld,
  untested,
  type Finding,
  type ProgramRequest,
  type Tested,
} from "../shared/program-version.ts";
import { VERSION } from "./runtime.ts";

export const TESTED: Tested = {
  title: "opencode",
  program: "opencode",
  version: VERSION,
  install: `npm install -g opencode-ai@${VERSION}`,
};

export const problems = (request: ProgramRequest): Promise<string[]> => tooOld(request, TESTED);

/** Nothing about a login: without one it uses the free models of its makers. */
export const inspect = (request: ProgramRequest): Promise<Finding[]> => untested(request, TESTED);
