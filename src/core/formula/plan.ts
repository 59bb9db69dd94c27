// The order that steps' needs give: which come before which, what can go side by side, and whether
// they go in a circle.
type Node = { id: string; needs: readonly string[] };

/** Steps by the earliest turn at which they could begin; steps of one wave need not wait for each other. */
export function wavesOf<T extends Node>(steps: readonly T[]): T[][] {
  const waves: T[][] = [];
  const placed = new Set<string>();
  let left = [...steps];
  while (left.length > 0) {
    const next = left.filter(({ needs }) => needs.every((need) => placed.has(need)));
    // A circle, or a need that does not exist: drawn last, so that nothing is hidden.
    const wave = next.length === 0 ? left : next;
    waves.push(wave);
    for (const { id } of wave) placed.add(id);
    left = left.filter((step) => !wave.includes(step));
  }
  return waves;
}

/** The steps of one circle, the first again at its end. */
export function cycleIn(steps: readonly Node[]): string[] | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const finished = new Set<string>();
  const visit = (id: string, path: string[]): string[] | undefined => {
    const from = path.indexOf(id);
    if (from !== -1) return [...path.slice(from), id];
    if (finished.has(id)) return undefined;
    for (const need of byId.get(id)?.needs ?? []) {
      const found = visit(need, [...path, id]);
      if (found !== undefined) return found;
    }
    finished.add(id);
    return undefined;
  };
  for (const { id } of steps) {
    const found = visit(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Everything that has ended before this step begins. */
export function ancestorsOf(steps: readonly Node[], id: string): Set<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = new Set<string>();
  const waiting = [...(byId.get(id)?.needs ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(byId.get(next)?.needs ?? []));
  }
  return found;
}
