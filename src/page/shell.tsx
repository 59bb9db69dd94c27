// The frame around every view: where you are, how the factory is, and the keys.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { connection, lostWhy, type Connection } from "./feed.ts";
import { facts, notice, trouble } from "./facts.ts";
import { Home } from "./home.tsx";
import { Keys } from "./keys.tsx";
import { Queues } from "./queue.tsx";
import { linkTo, open, route, type Route } from "./route.ts";
import { RunPage } from "./run/run-page.tsx";
import { Unpaired } from "./unpaired.tsx";

const LINKS: { to: Route; text: string; key: string }[] = [
  { to: { view: "home" }, text: "Home", key: "h" },
  { to: { view: "queue" }, text: "Merge queue", key: "q" },
];

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
      if (link !== undefined) open(link.to);
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
          {LINKS.map(({ to, text }) => (
            <a
              key={text}
              href={linkTo(to)}
              aria-current={route.value.view === to.view ? "page" : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
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

function View() {
  const shown = route.value;
  if (facts.value === undefined) return null;
  if (shown.view === "queue") return <Queues projects={facts.value.status.projects} />;
  if (shown.view === "run") {
    return <RunPage key={`${shown.project}/${shown.ref}`} project={shown.project} id={shown.ref} />;
  }
  return <Home facts={facts.value} />;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
