// Paired browsers. A device proves itself with two secrets: a cookie, which scripts cannot read but
// which the browser also sends to other ports of this host, and a key, which only scripts of this
// origin can read. The journal keeps hashes of both.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { DeviceView, PageScope } from "../../api/page.ts";
import type { Store } from "../../ports/store.ts";

const COLLECTION = "page-devices";
const LINK_LIFE_MS = 5 * 60_000;
const LINKS_MAX = 20;
/** How often the journal notes that a device is still used. */
const NOTE_EVERY_MS = 10 * 60_000;
const UNUSED_MAX_MS = 90 * 24 * 3_600_000;
const NAME_MAX_CHARS = 60;

export type Device = {
  id: string;
  name: string;
  scope: PageScope;
  pairedAt: number;
  seenAt: number;
};

type StoredDevice = Device & { cookieHash: string; keyHash: string };
type Link = { scope: PageScope; expiresAt: number };

export type Paired = { device: Device; cookie: string; key: string };

export class Devices {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #links = new Map<string, Link>();
  readonly #onRevoked = new Set<(id: string) => void>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** A code that pairs one device, once, within five minutes. */
  link(scope: PageScope): { code: string; expiresAt: number } {
    const [oldest] = this.#links.keys();
    if (this.#links.size >= LINKS_MAX && oldest !== undefined) this.#links.delete(oldest);
    const code = secret();
    const expiresAt = this.#now() + LINK_LIFE_MS;
    this.#links.set(hash(code), { scope, expiresAt });
    return { code, expiresAt };
  }

  /** Undefined where the code is unknown, used or too old. */
  async pair(code: string, agent: string): Promise<Paired | undefined> {
    const link = this.#links.get(hash(code));
    this.#links.delete(hash(code));
    if (link === undefined || link.expiresAt <= this.#now()) return undefined;
    const [cookie, key] = [secret(), secret()];
    const device: Device = {
      id: randomBytes(4).toString("hex"),
      name: nameOf(agent),
      scope: link.scope,
      pairedAt: this.#now(),
      seenAt: this.#now(),
    };
    await this.#add({ ...device, cookieHash: hash(cookie), keyHash: hash(key) });
    return { device, cookie: `${device.id}.${cookie}`, key };
  }

  /** Undefined unless both secrets belong to one paired device. */
  async find(cookie: string | undefined, key: string | undefined): Promise<Device | undefined> {
    const [id = "", token = ""] = (cookie ?? "").split(".");
    const stored = await this.#store.records.get<StoredDevice>(COLLECTION, id);
    if (stored === undefined) return undefined;
    const { cookieHash, keyHash, ...device } = stored.value;
    if (!isSame(cookieHash, hash(token)) || !isSame(keyHash, hash(key ?? ""))) return undefined;
    if (this.#now() - device.seenAt >= NOTE_EVERY_MS) await this.#note(id);
    return device;
  }

  /** By the cookie alone, which proves little: only beside a ticket that the same device was given. */
  async ofCookie(cookie: string | undefined): Promise<Device | undefined> {
    const [id = "", token = ""] = (cookie ?? "").split(".");
    const stored = await this.#store.records.get<StoredDevice>(COLLECTION, id);
    if (stored === undefined) return undefined;
    const { cookieHash, keyHash: _, ...device } = stored.value;
    return isSame(cookieHash, hash(token)) ? device : undefined;
  }

  /** Only where it is still paired: a device that is revoked at this moment stays revoked. */
  #note(id: string): Promise<void> {
    return this.#store.transaction(async ({ records }) => {
      const current = await records.get<StoredDevice>(COLLECTION, id);
      if (current === undefined) return;
      await records.put(COLLECTION, id, { ...current.value, seenAt: this.#now() });
    });
  }

  async list(): Promise<DeviceView[]> {
    const stored = await this.#store.records.list<StoredDevice>(COLLECTION);
    return stored.map(({ value }) => deviceView(value));
  }

  /** False where there is no such device. Its open connections end at once. */
  async revoke(id: string): Promise<boolean> {
    const isKnown = await this.#store.transaction(async (tx) => {
      if ((await tx.records.get(COLLECTION, id)) === undefined) return false;
      await tx.records.delete(COLLECTION, id);
      return true;
    });
    if (isKnown) for (const call of this.#onRevoked) call(id);
    return isKnown;
  }

  onRevoked(call: (id: string) => void): () => void {
    this.#onRevoked.add(call);
    return () => this.#onRevoked.delete(call);
  }

  /** Those that were not used for long leave with a new one: the list stays short. */
  #add(device: StoredDevice): Promise<void> {
    return this.#store.transaction(async ({ records }) => {
      for (const { key, value } of await records.list<StoredDevice>(COLLECTION)) {
        if (this.#now() - value.seenAt > UNUSED_MAX_MS) await records.delete(COLLECTION, key);
      }
      await records.put(COLLECTION, device.id, device);
    });
  }
}

/** Under which name the journal has what a device does. */
export const actorOf = ({ name, id }: Device): string => `${name} (page ${id})`;

export const deviceView = ({ id, name, scope, pairedAt, seenAt }: Device): DeviceView => ({
  id,
  name,
  scope,
  paired_at: new Date(pairedAt).toISOString(),
  last_seen: new Date(seenAt).toISOString(),
});

/** From the User-Agent header, which is all that a browser says of itself. */
function nameOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? "browser";
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1];
  const known = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return (system === undefined ? known : `${known} on ${system}`).slice(0, NAME_MAX_CHARS);
}

const secret = (): string => randomBytes(24).toString("base64url");
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
