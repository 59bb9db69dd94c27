// A diff as rows of text, coloured by their first character. At most so many rows are drawn: a
// browser that lays out a hundred thousand stands still.
const ROWS_MAX = 2000;

export function Diff({ text }: { text: string }) {
  const rows = text.split("\n");
  return (
    <>
      <pre class="diff" tabIndex={0}>
        {rows.slice(0, ROWS_MAX).map((row, at) => (
          <span key={at} class={kindOf(row)}>
            {`${row}\n`}
          </span>
        ))}
      </pre>
      {rows.length > ROWS_MAX && (
        <p class="quiet">
          {rows.length - ROWS_MAX} more lines: <code>pawl diff</code> shows all of them.
        </p>
      )}
    </>
  );
}

function kindOf(row: string): string {
  if (/^(diff |index |\+\+\+ |--- )/.test(row)) return "file";
  if (row.startsWith("@@")) return "hunk";
  if (row.startsWith("+")) return "added";
  return row.startsWith("-") ? "removed" : "same";
}
