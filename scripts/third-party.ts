// What the bundle contains of others: their licence texts (THIRD-PARTY-NOTICES.txt) and a list of them
// for machines (sbom.cdx.json, CycloneDX). Both follow from the modules that were really bundled.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

/** The licence texts of packages that come without theirs, by name with `/` as `-`. */
const TEXTS = join(import.meta.dirname, "licences");

export type ThirdParty = { name: string; version: string; licence: string; text: string };
type Manifest = { name: string; version: string; license?: string };

/** The folders of packages that modules lie in. */
export function packageFolders(moduleIds: Iterable<string>): string[] {
  const folders = [...moduleIds].flatMap(
    (id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [],
  );
  return [...new Set(folders)].toSorted();
}

export function readThirdParty(folder: string): ThirdParty {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const { name, version, license } = manifest;
  const kept = join(TEXTS, `${name.replace("/", "-")}.txt`);
  const own = readdirSync(folder).find((file) => /^(?:licen[cs]e|copying)\b/i.test(file));
  const found = own === undefined ? (existsSync(kept) ? kept : undefined) : join(folder, own);
  if (found === undefined || license === undefined) {
    throw new Error(`${name} is bundled without a licence text: put it into ${kept}`);
  }
  return { name, version, licence: license, text: readFileSync(found, "utf8").trim() };
}

export function writeNotices(dist: string, moduleIds: Iterable<string>): number {
  const all = packageFolders(moduleIds).map(readThirdParty);
  const notices = all.map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`,
  );
  const opening = "Pawl contains the following software of others.\n";
  const rule = `\n${"-".repeat(78)}\n\n`;
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), [opening, ...notices].join(rule));
  writeFileSync(join(dist, "sbom.cdx.json"), `${JSON.stringify(sbom(all), null, 2)}\n`);
  return all.length;
}

/** Without a serial number and a time: one tree gives one package. */
function sbom(all: ThirdParty[]): object {
  const { name, version, license, description } = packageJson;
  const own = component({ type: "application", name, version, licence: license });
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...own, description } },
    components: all.map((one) => component({ ...one, type: "library" })),
    dependencies: [{ ref: own["bom-ref"], dependsOn: all.map(purlOf) }],
  };
}

function component(one: { type: string; name: string; version: string; licence: string }) {
  const [group, rest] = one.name.startsWith("@") ? one.name.split("/") : [undefined, one.name];
  const purl = purlOf(one);
  return {
    type: one.type,
    "bom-ref": purl,
    ...(group === undefined ? {} : { group }),
    name: rest,
    version: one.version,
    licenses: [{ license: { id: one.licence } }],
    purl,
  };
}

const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;
