// Notifications of the browser for what needs a person, while the page is not looked at. Each is
// withdrawn when it is settled, wherever that happened.
import { effect, signal } from "@preact/signals";
import { facts, type Facts } from "./facts.ts";
import { nameOf } from "./name-of.ts";
import { open } from "./route.ts";

export type Permission = "granted" | "denied" | "default" | "missing";

const read = (): Permission => ("Notification" in window ? Notification.permission : "missing");

export const permission = signal<Permission>(read());

export function askForNotifications(): void {
  Notification.requestPermission().then(
    () => (permission.value = read()),
    (error: unknown) => console.error(error),
  );
}

type Need = { key: string; title: string; body: string; run?: { project: string; ref: string } };

/** Shown so far, by their key. `null`: it was there when the page was looked at. */
const shown = new Map<string, Notification | null>();

/** `isLeader`: of several tabs, one tells. */
export function notifyOfNeeds(isLeader: () => boolean): void {
  effect(() => {
    if (facts.value === undefined) return;
    const needs = needsIn(facts.value);
    tell(needs, isLeader());
    count(needs.length);
  });
}

let counted: number | undefined;

/** On the tab, and on the icon where the page is installed: that keeps its number when the page is closed. */
function count(needs: number): void {
  if (counted === needs) return;
  counted = needs;
  document.title = needs === 0 ? "Pawl" : `(${needs}) Pawl`;
  if ("setAppBadge" in navigator) navigator.setAppBadge(needs).catch(() => undefined);
}

function tell(needs: Need[], isLeader: boolean): void {
  const keys = new Set(needs.map(({ key }) => key));
  for (const [key, notification] of shown) {
    if (keys.has(key)) continue;
    notification?.close();
    shown.delete(key);
  }
  for (const need of needs) {
    if (shown.has(need.key)) continue;
    const isWanted = isLeader && document.hidden && permission.value === "granted";
    shown.set(need.key, isWanted ? notificationOf(need) : null);
  }
}

function notificationOf({ key, title, body, run }: Need): Notification {
  const notification = new Notification(title, { body, tag: key, icon: "/icon.svg" });
  notification.addEventListener("click", () => {
    window.focus();
    if (run === undefined) open({ view: "home" });
    else open({ view: "run", ...run });
  });
  return notification;
}

function needsIn({ asked, status }: Facts): Need[] {
  const others = status.waits.filter(({ needs_you, question }) => needs_you && !question);
  return [
    ...asked.map((one) => ({
      key: `${one.project} ${one.identity} ${one.since}`,
      title: `${nameOf(one)} needs you`,
      body: one.reason,
      ...(one.run === null ? {} : { run: { project: one.project, ref: one.run } }),
    })),
    ...others.map(({ project, about, why }) => ({
      key: `${project} ${about} ${why}`,
      title: `${about} needs you`,
      body: why,
    })),
  ];
}
