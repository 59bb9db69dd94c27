// The views that have a place in the header, a key and a line in the palette; and the project they show.
import { facts } from "./facts.ts";
import { route, type ViewName } from "./route.ts";

export const LINKS: { view: ViewName; text: string; key: string }[] = [
  { view: "home", text: "Home", key: "h" },
  { view: "queue", text: "Merge queue", key: "q" },
  { view: "plots", text: "Plots", key: "p" },
  { view: "factory", text: "Factory", key: "f" },
];

/** The project that the views show; undefined for all. A run belongs to one, and shows no choice. */
export const chosen = (): string | undefined =>
  route.value.view === "run" ? undefined : route.value.project;

/** Cards name their project where several are shown. */
export const projectWords = (project: string): string[] =>
  chosen() === undefined && (facts.value?.status.projects.length ?? 0) > 1 ? [project] : [];
