// The header: where you are, which project you see, and whether the page is live.
import { facts } from "./facts.ts";
import { connection, lostWhy, type Connection } from "./feed.ts";
import { chosen, LINKS } from "./links.ts";
import { askForNotifications, permission } from "./notify.ts";
import { inProjectOf, linkTo, open, route } from "./route.ts";
import type { Dialog } from "./use-keys.ts";

const STATES: Record<Connection, string> = {
  connecting: "connecting",
  live: "live",
  lost: "the daemon does not answer",
  revoked: "revoked",
};

export const Header = ({ onOpen }: { onOpen: (dialog: Dialog) => void }) => (
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
    {permission.value === "default" && (
      <button type="button" onClick={askForNotifications}>
        Notify me
      </button>
    )}
    <button type="button" onClick={() => onOpen("palette")} aria-label="Go to" title="Ctrl K">
      <span class="wide">Go to </span>⌕
    </button>
    <button
      type="button"
      class="keys"
      onClick={() => onOpen("keys")}
      aria-label="Keyboard shortcuts"
      title="Keyboard shortcuts"
    >
      ?
    </button>
  </header>
);

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
