// How busy something was, minute by minute, as small bars.
const HEIGHT = 18;
const BAR = 4;

export function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts, 1);
  const sum = counts.reduce((total, count) => total + count, 0);
  const label = `${sum} events in the last ${counts.length} minutes`;
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${counts.length * BAR} ${HEIGHT}`}
      width={counts.length * BAR}
      height={HEIGHT}
    >
      <title>{label}</title>
      {counts.map((count, at) => {
        const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
        return (
          <rect
            key={at}
            x={at * BAR}
            y={HEIGHT - height}
            width={BAR - 1}
            height={height}
            class={count === 0 ? "none" : "some"}
          />
        );
      })}
    </svg>
  );
}
