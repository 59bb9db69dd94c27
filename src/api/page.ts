// The page in a browser: links that pair a device, and the devices that were paired.
import { z } from "zod";

/** What a device may do. Each includes the ones before it. */
export const PAGE_SCOPES = ["view", "answer", "operate", "terminal"] as const;
export type PageScope = (typeof PAGE_SCOPES)[number];

export const pageLinkSchema = z.strictObject({ scope: z.enum(PAGE_SCOPES).default("operate") });

export const pageLinkViewSchema = z.object({
  /** Works once. The code stands behind `#`, which browsers send to no server. */
  url: z.string(),
  /** The same link at the origins of factory.toml (`[page] origins`). */
  also: z.array(z.string()).optional(),
  expires_at: z.string(),
  scope: z.enum(PAGE_SCOPES),
});
export type PageLinkView = z.infer<typeof pageLinkViewSchema>;

export const deviceSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(PAGE_SCOPES),
  paired_at: z.string(),
  last_seen: z.string(),
});
export type DeviceView = z.infer<typeof deviceSchema>;

/** What the browser sends to pair itself. */
export const pairSchema = z.strictObject({ code: z.string().min(1).max(100) });

/** The second half of a device's credentials: see docs/page.md. */
export const PAGE_KEY_HEADER = "x-pawl-page-key";

/** The browser keeps `key`; the other half is a cookie that scripts cannot read. */
export type PairedView = { key: string; device: DeviceView };
