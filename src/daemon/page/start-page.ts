// The page of a factory: its listener opens when a link is first asked for, and opens again at the
// same port with the next daemon as long as a device is paired, or where factory.toml says so.
import type { DeviceView, PageLinkView, PageScope } from "../../api/page.ts";
import { factorySettings } from "../host/bound-home.ts";
import type { Log } from "../host/log.ts";
import { loadAssets } from "./assets.ts";
import { Devices } from "./devices.ts";
import { Terminals, type TerminalPlace } from "./terminals.ts";
import { startPageListener, type PageListener } from "./listener.ts";

const COLLECTION = "page";
const KEY = "listener";

export type Page = {
  link(scope: PageScope): Promise<PageLinkView>;
  devices(): Promise<DeviceView[]>;
  /** False where there is no such device. */
  revoke(id: string): Promise<boolean>;
  /** Ends the listener; paired devices stay paired. */
  close(): Promise<void>;
};

type PagePlace = TerminalPlace;

export function createPage(place: PagePlace): Page & { resume(): Promise<void> } {
  const { store, ports, app, paths } = place;
  const devices = new Devices(store, () => ports.clock.now());
  const terminals = new Terminals(place);
  let opened: Promise<PageListener> | undefined;
  const otherOrigins = async (): Promise<readonly string[]> => {
    const read = await factorySettings(paths);
    return read.kind === "valid" ? (read.settings.pageOrigins ?? []) : [];
  };

  const open = async (): Promise<PageListener> => {
    const kept = await store.records.get<{ port: number }>(COLLECTION, KEY);
    await terminals.begin();
    const assets = await loadAssets();
    const origins = await otherOrigins();
    const parts = { assets, devices, terminals, origins, now: () => ports.clock.now() };
    const listen = (port: number): Promise<PageListener> =>
      startPageListener({ port, ...parts, api: (request) => app.fetch(request) });
    const wanted = kept?.value.port ?? 0;
    const listener = await listen(wanted).catch((error: unknown) => {
      // Another program has taken the port meanwhile: open pages must be paired again.
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return listen(0);
      throw error;
    });
    const { port } = listener;
    if (port !== wanted) await store.transaction((tx) => tx.records.put(COLLECTION, KEY, { port }));
    return listener;
  };
  const listener = (): Promise<PageListener> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    link: async (scope) => {
      const { origin, origins } = await listener();
      const { code, expiresAt } = devices.link(scope);
      const expires_at = new Date(expiresAt).toISOString();
      const urlAt = (one: string): string => `${one}/#pair=${code}`;
      return { url: urlAt(origin), also: origins.map(urlAt), expires_at, scope };
    },
    devices: () => devices.list(),
    revoke: (id) => devices.revoke(id),
    resume: async () => {
      const read = await factorySettings(paths);
      const isEnabled = read.kind === "valid" && read.settings.pageEnabled === true;
      if (isEnabled || (await devices.list()).length > 0) await listener();
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Opened beside the daemon's start: a page that is slow to build, or cannot be, holds up nothing. */
export function resumePage(page: ReturnType<typeof createPage>, log: Log): void {
  page.resume().catch((error: unknown) => {
    log.error({ error: String(error) }, "cannot open the page; `pawl page` tries again");
  });
}
