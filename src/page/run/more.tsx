// What else there is to know of a run: the logs of its checks, its prompt, what it has used.
import type { CheckLogsView } from "../../api/checks.ts";
import type { CostsView } from "../../api/costs.ts";
import type { RunView } from "../../api/runs.ts";
import { get, inProject, part } from "../api.ts";
import { Checkpoints } from "./checkpoints.tsx";
import { Lazy } from "./lazy.tsx";

/** Of each log, its end. */
const LOG_SHOWN_CHARS = 64_000;

export const More = ({ run: { project, run, identity } }: { run: RunView }) => (
  <section aria-label="More of this run">
    <Checkpoints project={project} identity={identity} />
    <Lazy
      title="Logs of its checks"
      load={() => get<CheckLogsView>(inProject(`/v1/checks/${part(run)}/logs`, project))}
    >
      {(logs) =>
        logs.length === 0 ? (
          <p class="quiet">Nothing was checked yet.</p>
        ) : (
          logs.map(({ gate, text }) => (
            <div key={gate}>
              <h3>{gate}</h3>
              {text === "" ? (
                <p class="quiet">It printed nothing.</p>
              ) : (
                <pre tabIndex={0}>{text.slice(-LOG_SHOWN_CHARS)}</pre>
              )}
            </div>
          ))
        )
      }
    </Lazy>
    <Lazy
      title="Prompt"
      load={() => get<{ text: string }>(inProject(`/v1/runs/${part(run)}/prompt`, project))}
    >
      {({ text }) => <pre tabIndex={0}>{text}</pre>}
    </Lazy>
    <Lazy title="Cost" load={() => get<CostsView>(inProject("/v1/costs?by=run", project))}>
      {({ rows }) => <Cost row={rows.find(({ key }) => key === `${project}/${run}`)} />}
    </Lazy>
  </section>
);

function Cost({ row }: { row: CostsView["rows"][number] | undefined }) {
  if (row === undefined) return <p class="quiet">Its agent has not reported any usage yet.</p>;
  const parts: [string, string][] = [
    ["Estimated cost", `$${row.cost_usd.toFixed(2)}`],
    ["Tokens in", row.input_tokens.toLocaleString()],
    ["Tokens out", row.output_tokens.toLocaleString()],
    ["Read from cache", row.cache_read_tokens.toLocaleString()],
    ["Written to cache", row.cache_write_tokens.toLocaleString()],
  ];
  return (
    <dl>
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
