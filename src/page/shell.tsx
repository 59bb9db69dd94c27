// The frame around every view: the header, what went wrong, and the dialogs.
import { useMemo } from "preact/hooks";
import { connection } from "./feed.ts";
import { facts, notice, trouble } from "./facts.ts";
import { Header } from "./header.tsx";
import { Home } from "./home.tsx";
import { Keys } from "./keys.tsx";
import { lazy } from "./lazy.tsx";
import { chosen, LINKS } from "./links.ts";
import { ofProject } from "./one-project.ts";
import { Ago } from "./now.tsx";
import { Palette } from "./palette.tsx";
import { Queues } from "./queue/queue-page.tsx";
import { route } from "./route.ts";
import { RunPage } from "./run/run-page.tsx";
import { Unpaired } from "./unpaired.tsx";
import { useKeys } from "./use-keys.ts";

const Factory = lazy(async () => (await import("./factory/factory-page.tsx")).FactoryPage);
const Plots = lazy(async () => (await import("./plots/plots-page.tsx")).PlotsPage);

export function Shell({ onForget }: { onForget: () => void }) {
  const dialog = useKeys();
  const close = (): void => {
    dialog.value = undefined;
  };
  if (connection.value === "revoked") {
    onForget();
    return <Unpaired why="this browser was revoked" />;
  }
  return (
    <>
      <Header onOpen={(one) => (dialog.value = one)} />
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
      {connection.value === "lost" && facts.value !== undefined && <Stale />}
      <main>{facts.value === undefined ? <p class="quiet">Reading…</p> : <View />}</main>
      {dialog.value === "keys" && <Keys links={LINKS} onClose={close} />}
      {dialog.value === "palette" && facts.value !== undefined && (
        <Palette facts={facts.value} views={LINKS} onClose={close} />
      )}
    </>
  );
}

/** Over the view, which stays where it is. */
function Stale() {
  const since = useMemo(() => new Date().toISOString(), []);
  return (
    <p class="stale">
      Not live: this is how things stood <Ago at={since} />. If the daemon does not come back, start
      it with <code>pawl up</code>.
    </p>
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
  if (shown.view === "factory") {
    return <Factory projects={own.status.projects} project={chosen()} />;
  }
  if (shown.view === "plots") return <Plots project={chosen()} />;
  return <Home facts={own} project={chosen()} />;
}
