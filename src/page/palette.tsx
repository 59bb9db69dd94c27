// Ctrl-K: everything that can be opened or done, found by a few letters of its words.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { inProject, post } from "./api.ts";
import { type Facts, refresh, trouble } from "./facts.ts";
import { nameOf } from "./name-of.ts";
import { inProjectOf, open, type ViewName } from "./route.ts";

type Item = { text: string; kind: string; run: () => void };

const SHOWN_MAX = 12;

type PaletteProps = {
  facts: Facts;
  views: { view: ViewName; text: string }[];
  onClose: () => void;
};

export function Palette({ facts, views, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = useSignal("");
  const at = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const shown = found(itemsOf(facts, views), words.value);
  const chosen = shown[Math.min(at.value, shown.length - 1)];
  const take = (item: Item | undefined): void => {
    if (item === undefined) return;
    dialog.current?.close();
    item.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      at.value = Math.max(0, Math.min(shown.length - 1, at.value + by));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      take(chosen);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen === undefined ? undefined : idOf(shown.indexOf(chosen))}
        placeholder="An issue, a view, an action"
        value={words}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        {shown.map((item, index) => (
          <li
            key={`${item.kind} ${item.text}`}
            id={idOf(index)}
            role="option"
            aria-selected={item === chosen}
            onClick={() => take(item)}
          >
            {item.text} <span class="meta">{item.kind}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">Nothing matches.</p>}
    </dialog>
  );
}

const idOf = (index: number): string => `palette-${index}`;

/** Every word must be in it. */
function found(items: Item[], words: string): Item[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ text, kind }: Item): boolean =>
    wanted.every((word) => `${text} ${kind}`.toLowerCase().includes(word));
  return items.filter(has).slice(0, SHOWN_MAX);
}

function itemsOf({ status, asked, done }: Facts, views: PaletteProps["views"]): Item[] {
  const toRun = (project: string, ref: string) => (): void => open({ view: "run", project, ref });
  const projects = status.projects.map(({ name }) => name);
  return [
    ...views.map(({ view, text }) => ({ text, kind: "view", run: () => open({ view }) })),
    ...asked.flatMap((one) =>
      one.run === null
        ? []
        : [{ text: nameOf(one), kind: "asks you", run: toRun(one.project, one.run) }],
    ),
    ...status.runs
      .filter(({ outcome, needs_you }) => outcome === null && needs_you === null)
      .map((run) => ({ text: nameOf(run), kind: run.doing, run: toRun(run.project, run.run) })),
    ...projects.flatMap((project) => [
      ...(projects.length === 1 ? [] : views).map(({ view, text }) => ({
        text: `${text} of ${project}`,
        kind: "view",
        run: () => open(inProjectOf(view, project)),
      })),
      act(`Pause the merge queue of ${project}`, inProject("/v1/queue/pause", project), {
        why: "paused on the page",
      }),
      act(`Resume the merge queue of ${project}`, inProject("/v1/queue/resume", project), {}),
    ]),
    ...done.rows.map(({ reference, title, outcome, project, id }) => ({
      text: /^\d+$/.test(reference) ? `#${reference} ${title}` : title,
      kind: outcome,
      run: toRun(project, id),
    })),
  ];
}

const act = (text: string, path: string, body: object): Item => ({
  text,
  kind: "action",
  run: () => {
    post(path, body).then(refresh, (error: unknown) => {
      trouble.value = error instanceof Error ? error.message : String(error);
    });
  },
});
