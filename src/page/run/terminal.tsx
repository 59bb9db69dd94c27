// The agent's own terminal, live. It is read-only until the person takes the keyboard, which holds the
// run.
import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ToBrowser } from "../../api/terminal.ts";
import { whenIdle } from "../when-idle.ts";
import { connect, inPieces, type TerminalSocket } from "./terminal-socket.ts";

type Keyboard = Omit<Extract<ToBrowser, { kind: "keyboard" }>, "kind">;

type Shown = {
  /** Undefined until the daemon has said who has it. */
  keyboard: Signal<Keyboard | undefined>;
  state: Signal<"opening" | "live" | "over" | "lost">;
  trouble: Signal<string | undefined>;
};

export function Terminal({
  project,
  id,
  isOver,
}: {
  project: string;
  id: string;
  isOver: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const socket = useRef<TerminalSocket | undefined>(undefined);
  const keyboard = useSignal<Keyboard | undefined>(undefined);
  const state = useSignal<"opening" | "live" | "over" | "lost">("opening");
  const trouble = useSignal<string | undefined>(undefined);
  // Not after the first frame: what takes longest is asked for first.
  useLayoutEffect(() => {
    const gone = new AbortController();
    const opened = connect({ project, ref: id });
    socket.current = opened;
    gone.signal.addEventListener("abort", () => opened.close());
    begin(opened, { place, isOver, shown: { keyboard, state, trouble }, gone: gone.signal }).catch(
      (error: unknown) => console.error(error),
    );
    return () => gone.abort();
  }, []);
  return (
    <section aria-label="Terminal" class={keyboard.value?.yours === true ? "typing" : undefined}>
      <div class="bar">
        <h2>Terminal</h2>
        <span class="quiet" role="status">
          {wordsFor(state.value, keyboard.value)}
        </span>
        {!isOver && state.value === "live" && keyboard.value !== undefined && (
          <KeyboardButton keyboard={keyboard.value} say={(kind) => socket.current?.say({ kind })} />
        )}
      </div>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      <div class={isOver ? "screen over" : "screen"} ref={place} />
    </section>
  );
}

type Where = {
  place: { current: HTMLElement | null };
  isOver: boolean;
  shown: Shown;
  gone: AbortSignal;
};

/** Loads the terminal and draws it while the daemon prepares what it shows. */
async function begin(
  socket: TerminalSocket,
  { place, isOver, shown: { keyboard, state, trouble }, gone }: Where,
): Promise<void> {
  const { draw } = await import("./xterm.ts");
  if (gone.aborted || place.current === null) return;
  const drawn = draw(place.current, {
    label: "Terminal of the agent",
    isOver,
    onKeys: (keys) => {
      for (const text of inPieces(keys)) socket.say({ kind: "keys", text });
    },
    onGive: () => socket.say({ kind: "give" }),
  });
  gone.addEventListener("abort", () => drawn.close());
  const onMessage = (message: ToBrowser): void => {
    if (message.kind === "screen") {
      state.value = message.live ? "live" : "over";
      drawn.begin(message);
    } else if (message.kind === "keyboard") {
      if (message.yours !== (keyboard.value?.yours ?? false)) drawn.setTyping(message.yours);
      if (message.yours) trouble.value = undefined;
      keyboard.value = message;
    } else trouble.value = message.why;
  };
  const onLost = (): void => {
    state.value = "lost";
    keyboard.value = undefined;
    drawn.setTyping(false);
  };
  const onOutput = (bytes: Uint8Array, onParsed: () => void): void => drawn.write(bytes, onParsed);
  socket.tell({ onMessage, onOutput, onLost });
}

type ButtonProps = { keyboard: Keyboard; say: (kind: "take" | "give") => void };

const KeyboardButton = ({ keyboard: { yours, may }, say }: ButtonProps) =>
  yours ? (
    <button type="button" onClick={() => say("give")}>
      Give the keyboard back
    </button>
  ) : may ? (
    <button type="button" onClick={() => say("take")}>
      Take the keyboard
    </button>
  ) : (
    <span class="quiet">
      read-only: <code>pawl page --scope terminal</code> pairs a browser that may type
    </span>
  );

function wordsFor(state: string, keyboard: Keyboard | undefined): string {
  if (state === "opening") return "opening";
  if (state === "lost") return "the daemon does not answer; trying again";
  if (state === "over") return "the last screen";
  if (keyboard === undefined) return "live";
  if (keyboard.yours) return "you type; the run is held; Ctrl-Alt-K gives the keyboard back";
  return keyboard.holder === null ? "live" : `live · held by ${keyboard.holder}`;
}

/** So that the first terminal that is opened need not wait for its code. */
export function prepareTerminal(): void {
  import("./xterm.ts").then(
    ({ makeSpare }) => whenIdle(makeSpare),
    (error: unknown) => console.error(error),
  );
}
