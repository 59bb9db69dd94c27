// A name for the text of a pawl.toml, by which two copies are compared without starting git. Every
// `pawl status` makes one: node:crypto would take longer to load than all else that it does here.

const SEEDS = [0x811c9dc5, 0x9e3779b9];
const PRIME = 0x01000193;

/** Git may have written the checkout with other line ends. */
export function configHash(text: string): string {
  const same = text.replaceAll("\r\n", "\n").trimEnd();
  return SEEDS.map((seed) => fnv(seed, same)).join("");
}

/** FNV-1a over UTF-16 units, mixed at the end so that each bit depends on all of them. */
function fnv(seed: number, text: string): string {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
