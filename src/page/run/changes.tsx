// What the agent has changed: a list of files, their hunks with line numbers, and the words that
// differ. A click on a line's number comments on it; the agent gets that with the lines.
import { useSignal, type Signal } from "@preact/signals";
import type { ChangesOfView, CommentView, FileView, LineView } from "../../api/run-changes.ts";
import { Comment, CommentForm, type Place } from "./comments.tsx";

/** A browser that lays out a hundred thousand rows stands still. */
const ROWS_MAX = 5000;
/** Files beyond are closed until they are opened. */
const OPEN_FILES = 20;

type ChangesProps = {
  changes: ChangesOfView;
  comments: CommentView[];
  /** Undefined where it cannot be commented on any more. */
  onComment: ((place: Place, text: string) => Promise<void>) | undefined;
};

export function Changes({ changes: { files, is_cut }, comments, onComment }: ChangesProps) {
  const open = useSignal<string | undefined>(undefined);
  let rows = 0;
  const shown = files.filter((file) => {
    rows += file.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    return rows <= ROWS_MAX || file === files[0];
  });
  return (
    <section aria-label="Changes" class="changes">
      <h2>
        Changes{" "}
        <span class="count">
          {files.length} {files.length === 1 ? "file" : "files"}
        </span>
      </h2>
      {files.length === 0 && <p class="quiet">It has changed nothing.</p>}
      {files.length > 1 && <FileList files={files} />}
      {shown.map((file, at) => (
        <File key={file.path} {...{ file, at, open, comments, onComment }} />
      ))}
      {(is_cut || shown.length < files.length) && (
        <p class="quiet">
          Not all of it is shown: <code>pawl diff</code> and the branch have all of it.
        </p>
      )}
    </section>
  );
}

const FileList = ({ files }: { files: FileView[] }) => (
  <ul class="files">
    {files.map((file, at) => (
      <li key={file.path}>
        <button type="button" class="plain" onClick={() => scrollTo(at)}>
          {file.path}
        </button>{" "}
        <Counts file={file} />
      </li>
    ))}
  </ul>
);

function scrollTo(at: number): void {
  document.getElementById(`file-${at}`)?.scrollIntoView({ block: "start" });
}

const Counts = ({ file: { added, removed, is_binary, status, old_path } }: { file: FileView }) => (
  <span class="quiet">
    {status === "changed" ? "" : old_path === null ? `${status} ` : `renamed from ${old_path} `}
    {is_binary ? (
      "binary"
    ) : (
      <>
        <span class="good">+{added}</span> <span class="bad">−{removed}</span>
      </>
    )}
  </span>
);

type FileProps = {
  file: FileView;
  at: number;
  open: Signal<string | undefined>;
  comments: CommentView[];
  onComment: ChangesProps["onComment"];
};

function File({ file, at, open, comments, onComment }: FileProps) {
  const own = comments.filter(({ path }) => path === file.path);
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const isThere = ({ line, side }: CommentView): boolean => lines.some((one) => one[side] === line);
  return (
    <details id={`file-${at}`} class="file" open={at < OPEN_FILES}>
      <summary>
        <code>{file.path}</code> <Counts file={file} />
      </summary>
      <div class="rows" role="table" aria-label={file.path}>
        {file.hunks.map((hunk) => (
          <div key={hunk.header} role="rowgroup">
            <div class="hunk" role="row">
              <span role="cell">{hunk.header}</span>
            </div>
            {hunk.lines.map((line, index) => (
              <Row
                key={index}
                {...{ line, open, onComment }}
                place={placeOf(file.path, hunk.lines, index)}
                comments={own.filter((one) => line[one.side] === one.line)}
              />
            ))}
          </div>
        ))}
      </div>
      {own
        .filter((one) => !isThere(one))
        .map((one) => (
          <Comment key={one.id} comment={one} isOutdated />
        ))}
    </details>
  );
}

const CONTEXT_LINES = 3;
/** As the daemon takes them. */
const LINE_MAX_CHARS = 500;

/** With the lines before it, so that the agent knows what is meant if they move. */
function placeOf(path: string, lines: LineView[], at: number): Place {
  const line = lines[at];
  const side = line?.new === null ? "old" : "new";
  const before = lines.slice(0, at + 1).filter((one) => one[side] !== null);
  const code = before.slice(-CONTEXT_LINES - 1).map(({ text }) => text.slice(0, LINE_MAX_CHARS));
  return { path, side, line: line?.[side] ?? 1, code };
}

type RowProps = {
  line: LineView;
  place: Place;
  open: Signal<string | undefined>;
  comments: CommentView[];
  onComment: ChangesProps["onComment"];
};

const SIGNS = { same: " ", added: "+", removed: "-" };

function Row({ line, place, open, comments, onComment }: RowProps) {
  const key = `${place.side} ${place.line} ${place.path}`;
  const number = line.new ?? line.old;
  return (
    <>
      <div class={`row ${line.kind}`} role="row">
        <span class="number" role="cell">
          {onComment === undefined ? (
            number
          ) : (
            <button
              type="button"
              aria-label={`Comment on line ${number} of ${place.path}`}
              onClick={() => (open.value = open.value === key ? undefined : key)}
            >
              {number}
            </button>
          )}
        </span>
        <span class="text" role="cell">
          {SIGNS[line.kind]}
          <Words line={line} />
        </span>
      </div>
      {comments.map((one) => (
        <Comment key={one.id} comment={one} />
      ))}
      {onComment !== undefined && open.value === key && (
        <CommentForm
          place={place}
          onSend={(text) => onComment(place, text)}
          onClose={() => (open.value = undefined)}
        />
      )}
    </>
  );
}

/** Text as it is, with the changed words marked. */
function Words({ line: { text, marks } }: { line: LineView }) {
  const parts = marks.flatMap(([from, to], at) => [
    text.slice(marks[at - 1]?.[1] ?? 0, from),
    <mark key={at}>{text.slice(from, to)}</mark>,
  ]);
  return (
    <>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
