// The folder that stands in place of an agent's own state inside walls: private to its run, with the
// user's login and settings mounted into it. The agent could write there in an earlier life, so what
// is mounted upon is made again: a link left there must lead nothing astray.
import { lstat, mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import type { Room, StatePlace } from "../../ports/walls.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";

const COPY_MAX_BYTES = 16 * 1024 * 1024;

export async function placeState(place: StatePlace): Promise<NonNullable<Room["placed"]>> {
  const { state, from, copyFrom, to } = place;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of state.copied) {
    const source = state.isBeside === true ? copyFrom : from;
    // The user's own file, which may be a link to where settings are kept together.
    const content = await readUntrusted(join(source, name), COPY_MAX_BYTES, { follow: true });
    if (content === undefined) continue;
    await makeRoom(to, name);
    await writeWhole(join(to, name), content);
  }
  const placed: NonNullable<Room["placed"]> = [];
  const names = [
    ...state.shared.map((name) => ({ name, isWritable: true })),
    ...state.read.map((name) => ({ name, isWritable: false })),
  ];
  for (const { name, isWritable } of names) {
    await makeRoom(to, name);
    const found = await ifThere(stat(join(from, name)));
    if (found === undefined) continue;
    if (found.isDirectory()) await mkdir(join(to, name), { mode: 0o700 });
    else await writeWhole(join(to, name), "");
    placed.push({ from: join(from, name), at: join(to, name), isWritable });
  }
  return placed;
}

/** Nothing of that name is left, and the folders above it are folders of this one. */
async function makeRoom(to: string, name: string): Promise<void> {
  const parts = name.split("/");
  const last = parts.pop() ?? name;
  let folder = to;
  for (const part of parts) {
    folder = join(folder, part);
    const found = await ifThere(lstat(folder));
    if (found !== undefined && !found.isDirectory()) await rm(folder, { force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  await rm(join(folder, last), { recursive: true, force: true });
}
