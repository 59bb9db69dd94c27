// Puts walls around a command where its project wants them; without them it is started as it is.
import { OperationError } from "../../lib/operation-error.ts";
import { NO_WALLS, type Frame, type Room, type Walls } from "../../ports/walls.ts";

type Asked = {
  walls: Walls | undefined;
  /** Undefined where the project wants none. */
  frame: Frame | undefined;
  argv: readonly [string, ...string[]];
} & Pick<Room, "cwd" | "env" | "write">;

/** Inside, the user's own folder for temporary files is not there. */
export const roomEnvironment = (
  frame: Frame | undefined,
  env: Record<string, string>,
): Record<string, string> => (frame === undefined ? env : { ...env, TMPDIR: "/tmp" });

export async function inRoom(asked: Asked): Promise<[string, ...string[]]> {
  const { walls, frame, argv, cwd, env, write } = asked;
  if (frame === undefined) return [...argv];
  if (walls === undefined) {
    throw new OperationError("cannot start a command: walls are required, but there are none", {
      code: NO_WALLS,
    });
  }
  const room = { ...frame, cwd, env, write };
  // First: walls that cannot be built must not be taken for a command that failed.
  await walls.probe(room);
  return walls.around(room, argv);
}
