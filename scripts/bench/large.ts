// Large repositories, end to end: an issue lands in one of 100,000 files, and in one of 2 GB of
// history, from a remote and without one. `files=1000 megabytes=20` makes them smaller, `files=0` leaves one kind out.
import { join } from "node:path";
import { addHistory, addManyFiles } from "../../test/support/large-repository.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../../test/support/pawl.ts";
import { print } from "./place.ts";

const size = (name: string, usual: number): number => {
  const word = process.argv.find((one) => one.startsWith(`${name}=`));
  return word === undefined ? usual : Number(word.slice(name.length + 1));
};

export async function benchLarge(): Promise<void> {
  const files = size("files", 100_000);
  const megabytes = size("megabytes", 2_048);
  const many = (place: Place): Promise<void> => addManyFiles(place, files);
  const much = (place: Place): Promise<void> => addHistory(place, megabytes);
  if (files > 0) {
    await measure(`${files} files`, { fill: many });
    await measure(`${files} files, sparse workspaces`, { fill: many, config: SPARSE });
    await measure(`${files} files, a remote`, { fill: many, isRemote: true });
  }
  if (megabytes > 0) {
    await measure(`${megabytes} MB of history, a remote`, { fill: much, isRemote: true });
    await measure(`${megabytes} MB of history`, { fill: much });
  }
}

type Place = { repo: string; env: Record<string, string> };
type Kind = { fill: (place: Place) => Promise<void>; isRemote?: true; config?: string };

const SPARSE = '[workspace]\nsparse = ["d0/e0"]\n';
const BODY = "```sh\necho one > one.txt\n```\n";

async function measure(name: string, { fill, isRemote, config = "" }: Kind): Promise<void> {
  const usual = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
  await using factory = await makeFactory({ config: `${usual}${config}` });
  const made = await timed(() => fill(factory));
  const remote = join(factory.root, "remote.git");
  if (isRemote === true) {
    factory.git("clone", "-q", "--bare", factory.repo, remote);
    factory.git("remote", "add", "origin", remote);
  }
  await factory.addIssue({ title: "Add one", body: BODY });
  let told = "";
  const landed = await timed(async () => {
    const { code, stderr } = await factory.background("run", "--until-idle").ended;
    told = stderr;
    if (code !== 0) throw new Error(`pawl run exited ${code}: ${stderr}`);
  });
  const place = isRemote === true ? remote : factory.repo;
  if (factory.gitIn(place, "show", "main:one.txt") !== "one") throw new Error("it did not land");
  print(`${name}: made / landed`, `${made} / ${landed}`);
  const far = [...told.matchAll(/\d+ %/g)].length;
  print("  lines that told of progress", String(far));
}

async function timed(work: () => Promise<void>): Promise<string> {
  const from = performance.now();
  await work();
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
