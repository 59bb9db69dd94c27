// The page: pairs this browser with the link that `pawl page` printed, then shows the factory.
import { render } from "preact";
import { CallError, forgetPairing, isPaired, pair } from "./api.ts";
import { follow } from "./feed.ts";
import { notice, takeChanges } from "./facts.ts";
import { notifyOfNeeds } from "./notify.ts";
import { noteLooks } from "./seen.ts";
import { Shell } from "./shell.tsx";
import { isLeader, shareWithTabs } from "./tabs.ts";
import { Unpaired } from "./unpaired.tsx";

const codeIn = (hash: string): string | undefined => /^#pair=([\w-]+)$/.exec(hash)?.[1];

async function start(root: HTMLElement): Promise<void> {
  const code = codeIn(location.hash);
  if (code !== undefined) {
    // The code is of no use any more, and must not stay in the history.
    history.replaceState(null, "", "/");
    try {
      await pair(code);
    } catch (error) {
      const why = error instanceof CallError ? error.message : "the daemon does not answer";
      if (!isPaired()) {
        render(<Unpaired why={why} />, root);
        return;
      }
      notice.value = `This browser keeps its earlier pairing: ${why}.`;
    }
  }
  if (!isPaired()) {
    render(<Unpaired why="this browser is not paired" />, root);
    return;
  }
  // What the daemon has to be asked is under way while the frame is drawn.
  shareWithTabs(() => follow(takeChanges));
  render(<Shell onForget={forgetPairing} />, root);
  notifyOfNeeds(isLeader);
  noteLooks();
}

// A link that is pasted into a tab of this page changes only the part behind `#`, which loads nothing.
window.addEventListener("hashchange", () => {
  if (codeIn(location.hash) !== undefined) location.reload();
});

const root = document.getElementById("page");
if (root !== null) start(root).catch((error: unknown) => console.error(error));
