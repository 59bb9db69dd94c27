// Which view is shown: the part of the address behind `#`, so that every view has a link.
import { signal } from "@preact/signals";

export type Route =
  | { view: "home" }
  | { view: "queue" }
  | { view: "run"; project: string; ref: string };

export const route = signal<Route>(read());

window.addEventListener("hashchange", () => {
  route.value = read();
});

function read(): Route {
  const [view, project, ref] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (view === "queue") return { view };
  if (view === "run" && project && ref) return { view, project, ref };
  return { view: "home" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken address leads home.
    return "";
  }
}

export const linkTo = (route: Route): string =>
  route.view === "run"
    ? `#/run/${encodeURIComponent(route.project)}/${encodeURIComponent(route.ref)}`
    : `#/${route.view === "home" ? "" : route.view}`;

export function open(to: Route): void {
  location.hash = linkTo(to);
}
