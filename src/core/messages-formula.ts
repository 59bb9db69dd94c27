// What Pawl says about formulas and gates, in one place.
export const formulaFailed = (id: string, reason: string): { title: string; body: string } => ({
  title: `formula ${id} failed`,
  body: `${reason}\n\npawl formula status ${id} shows every step.`,
});
