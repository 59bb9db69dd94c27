// A run of a formula as a graph: a column for each wave of steps that can go side by side, a line for
// what each step needs, and a colour for how it stands.
import type { FormulaRunView, StepRunView } from "../../api/formulas.ts";

const WIDTH = 200;
const HEIGHT = 46;
const GAP_X = 46;
const GAP_Y = 14;
const TEXT_MAX = 23;

type Place = { x: number; y: number };

export function FormulaGraph({ run }: { run: FormulaRunView }) {
  const places = placesOf(run.waves);
  const rows = Math.max(1, ...run.waves.map((wave) => wave.length));
  const width = run.waves.length * (WIDTH + GAP_X) - GAP_X + 2;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y + 2;
  const label = `Steps of ${run.formula}: ${run.steps.map(({ id, status }) => `${id} ${status}`).join(", ")}`;
  return (
    <div class="graph" tabIndex={0} role="group" aria-label={label}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        {run.steps.flatMap((step) =>
          step.needs.map((need) => (
            <Arrow key={`${need} ${step.id}`} from={places.get(need)} to={places.get(step.id)} />
          )),
        )}
        {run.steps.map((step) => (
          <Step key={step.id} step={step} place={places.get(step.id)} />
        ))}
      </svg>
    </div>
  );
}

function placesOf(waves: string[][]): Map<string, Place> {
  const places = new Map<string, Place>();
  waves.forEach((wave, column) =>
    wave.forEach((id, row) =>
      places.set(id, { x: column * (WIDTH + GAP_X) + 1, y: row * (HEIGHT + GAP_Y) + 1 }),
    ),
  );
  return places;
}

function Arrow({ from, to }: { from: Place | undefined; to: Place | undefined }) {
  if (from === undefined || to === undefined) return null;
  const [x1, y1] = [from.x + WIDTH, from.y + HEIGHT / 2];
  const [x2, y2] = [to.x, to.y + HEIGHT / 2];
  const bend = GAP_X / 2;
  return (
    <path class="arrow" d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />
  );
}

function Step({ step, place }: { step: StepRunView; place: Place | undefined }) {
  if (place === undefined) return null;
  const { title, id, status, problem, does } = step;
  return (
    <g class={`step ${status}`} transform={`translate(${place.x} ${place.y})`}>
      <title>{[title || id, status, problem ?? does].join(": ")}</title>
      <rect width={WIDTH} height={HEIGHT} rx={8} />
      <text x={10} y={19}>
        {cut(title || id)}
      </text>
      <text x={10} y={36} class="status">
        {status}
      </text>
    </g>
  );
}

const cut = (text: string): string =>
  text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`;
