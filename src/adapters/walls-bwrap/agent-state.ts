// The folder that stands in place of an agent's own state inside walls: private to its run, with the
// user's login and settings mounted into it. The agent could write there in an earlier life, so what
// is mounted upon is made again: a link left there must lead nothing astray.
import { lstat, mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import { parseObject } from "../../lib/json-object.ts";
import type { Room, StatePlace } from "../../ports/walls.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";

const COPY_MAX_BYTES = 16 * 1024 * 1024;

type Placed = NonNullable<Room["placed"]>;

export async function placeState(place: StatePlace): Promise<Placed> {
  const { state, from, copyFrom, to, withLogin } = place;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const { files = [], changed = {} } = (withLogin ? undefined : state.login) ?? {};
  const left = withLogin ? [] : [...state.shared, ...files];
  const source = state.isBeside === true ? copyFrom : from;
  for (const name of state.copied) {
    await copyFile({ from: source, to, name, change: changed[name] });
  }
  const placed: Placed = [];
  const names = [
    ...state.shared.map((name) => ({ name, isWritable: true })),
    ...state.read.map((name) => ({ name, isWritable: false })),
  ];
  for (const { name, isWritable } of names) {
    await makeRoom(to, name);
    if (changed[name] !== undefined) {
      await copyFile({ from, to, name, change: changed[name] });
      continue;
    }
    const found = left.includes(name) ? undefined : await ifThere(stat(join(from, name)));
    if (found === undefined) continue;
    if (found.isDirectory()) await mkdir(join(to, name), { mode: 0o700 });
    else await writeWhole(join(to, name), "");
    placed.push({ from: join(from, name), at: join(to, name), isWritable });
  }
  return placed;
}

type Copied = {
  from: string;
  to: string;
  name: string;
  change: ((own: Record<string, unknown>) => Record<string, unknown>) | undefined;
};

/** The user's own file, which may be a link to where settings are kept together. */
async function copyFile({ from, to, name, change }: Copied): Promise<void> {
  const content = await readUntrusted(join(from, name), COPY_MAX_BYTES, { follow: true });
  if (content === undefined) return;
  await makeRoom(to, name);
  const changed = change && JSON.stringify(change(parseObject(content) ?? {}));
  await writeWhole(join(to, name), changed ?? content);
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
