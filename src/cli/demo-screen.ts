// What `pawl demo` shows while its agents work, and that it stops when Ctrl-C ends them all.
import type { StatusView } from "../api/runs.ts";
import type { Foreground } from "./daemon-main.ts";
import { DEMO_ISSUES } from "./demo-issues.ts";
import type { Deps } from "./deps.ts";
import { runSummary, type RunSummary } from "./output/run-summary.ts";
import { createStory } from "./output/story.ts";

/** The story of the demo above its summary, until it is closed: after Ctrl-C every agent is ended. */
export class DemoScreen {
  readonly #deps: Deps;
  #isClosed = false;
  #summary: RunSummary | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async untilIdle(foreground: Foreground): Promise<StatusView> {
    // In a pipe its own last lines say the same.
    using summary = this.#deps.stderrColumns() > 0 ? runSummary(this.#deps) : undefined;
    this.#summary = summary;
    summary?.follow(foreground);
    const shown = summary?.deps ?? this.#deps;
    const unlessClosed = (write: Deps["stderr"]) => (text: string) => {
      if (!this.#isClosed) write(text);
    };
    const { stdout, stderr } = shown;
    const written = { ...shown, stdout: unlessClosed(stdout), stderr: unlessClosed(stderr) };
    const titles = DEMO_ISSUES.map(({ title }) => title);
    return await createStory({ ...written, titles }, foreground).untilIdle();
  }

  close(): void {
    this.#isClosed = true;
    this.#summary?.[Symbol.dispose]();
  }
}
