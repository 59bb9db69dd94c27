// The frame around every view: where you are, how the factory is, and the keys.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { connection, lostWhy, type Connection } from "./feed.ts";
import { facts, notice, trouble } from "./facts.ts";
import { Home } from "./home.tsx";
import { Keys } from "./keys.tsx";
import { lazy } from "./lazy.tsx";
import { Queues } from "./queue/queue-page.tsx";
import { ofProject } from "./one-project.ts";
import { inProjectOf, linkTo, open, route, type ViewName } from "./route.ts";
import { RunPage } from "./run/run-page.tsx";
import { Unpaired } from "./unpaired.tsx";

const LINKS: { view: ViewName; text: string; key: string }[] = [
  { view: "home", text: "Home", key: "h" },
  { view: "queue", text: "Merge queue", key: "q" },
  { view: "plots", text: "Plots", key: "p" },
];

const Plots = lazy(async () => (await import("./plots/plots-page.tsx")).PlotsPage);

const STATES: Record<Connection, string> = {
  connecting: "connecting",
  live: "live",
  lost: "the daemon does not answer; trying again",
  revoked: "revoked",
};

export function Shell({ onForget }: { onForget: () => void }) {
  const helps = useSignal(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "Escape") helps.value = false;
      if (event.key === "?") helps.value = !helps.value;
      const link = LINKS.find(({ key }) => key === event.key);
      if (link !== undefined) open(inProjectOf(link.view, chosen()));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (connection.value === "revoked") {
    onForget();
    return <Unpaired why="this browser was revoked" />;
  }
  return (
    <>
      <header>
        <a class="brand" href={linkTo({ view: "home" })}>
          Pawl
        </a>
        <nav aria-label="Views">
          {LINKS.map(({ view, text }) => (
            <a
              key={text}
              href={linkTo(inProjectOf(view, chosen()))}
              aria-current={route.value.view === view ? "page" : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <ProjectChoice />
        <span class={`state ${connection.value}`} role="status">
          {(connection.value === "lost" && lostWhy.value) || STATES[connection.value]}
        </span>
        <button type="button" onClick={() => (helps.value = true)} aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      {notice.value !== undefined && (
        <p class="trouble" role="alert">
          {notice.value}
        </p>
      )}
      {trouble.value !== undefined && connection.value === "live" && (
        <p class="trouble" role="alert">
          Cannot read the state of the factory: {trouble.value}
        </p>
      )}
      <main>{facts.value === undefined ? <p class="quiet">Reading…</p> : <View />}</main>
      {helps.value && <Keys links={LINKS} onClose={() => (helps.value = false)} />}
    </>
  );
}

/** The project that the views show; undefined for all. A run belongs to one, and shows no choice. */
const chosen = (): string | undefined =>
  route.value.view === "run" ? undefined : route.value.project;

function ProjectChoice() {
  const shown = route.value;
  const names = facts.value?.status.projects.map(({ name }) => name) ?? [];
  if (shown.view === "run" || (names.length < 2 && shown.project === undefined)) return null;
  const { view } = shown;
  return (
    <select
      aria-label="Project"
      value={shown.project ?? ""}
      onChange={({ currentTarget }) => open(inProjectOf(view, currentTarget.value || undefined))}
    >
      <option value="">all projects</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function View() {
  const shown = route.value;
  if (facts.value === undefined) return null;
  const own = ofProject(facts.value, chosen());
  if (shown.view === "queue") return <Queues projects={own.status.projects} />;
  if (shown.view === "run") {
    return <RunPage key={`${shown.project}/${shown.ref}`} project={shown.project} id={shown.ref} />;
  }
  if (shown.view === "plots") return <Plots project={chosen()} />;
  return <Home facts={own} />;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
