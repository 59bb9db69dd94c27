// The list of keyboard shortcuts.
import { useEffect, useRef } from "preact/hooks";

type KeysProps = { links: { text: string; key: string }[]; onClose: () => void };

export function Keys({ links, onClose }: KeysProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title">Keyboard</h2>
      <dl>
        {links.map(({ text, key }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>K</kbd>
          </dt>
          <dd>Go to an issue, a view or an action</dd>
        </div>
        <div>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>Next and previous card</dd>
        </div>
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>Alt</kbd> <kbd>K</kbd>
          </dt>
          <dd>Give the keyboard of a terminal back</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This list</dd>
        </div>
        <div>
          <dt>
            <kbd>Tab</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>Next control, use it</dd>
        </div>
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
