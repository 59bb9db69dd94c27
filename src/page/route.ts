// Which view is shown: the part of the address behind `#`, so that every view has a link.
import { signal } from "@preact/signals";

/** Views of one project, or of all where none is named. */
export const VIEWS = ["home", "queue", "plots", "factory"] as const;
export type ViewName = (typeof VIEWS)[number];

export type Route =
  | { view: ViewName; project?: string }
  | { view: "run"; project: string; ref: string };

export const route = signal<Route>(read());

window.addEventListener("hashchange", () => {
  route.value = read();
});

function read(): Route {
  const [view, project, ref] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (view === "run" && project && ref) return { view, project, ref };
  const known = VIEWS.find((one) => one === view) ?? "home";
  return project ? { view: known, project } : { view: known };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken address leads home.
    return "";
  }
}

export function linkTo(to: Route): string {
  const { view, project } = to;
  if (view === "home" && project === undefined) return "#/";
  const parts = [view, project, "ref" in to ? to.ref : undefined];
  return `#/${parts.flatMap((one) => (one === undefined ? [] : [encodeURIComponent(one)])).join("/")}`;
}

/** The same view of another project; undefined for all of them. */
export const inProjectOf = (view: ViewName, project: string | undefined): Route =>
  project === undefined ? { view } : { view, project };

export function open(to: Route): void {
  location.hash = linkTo(to);
}
