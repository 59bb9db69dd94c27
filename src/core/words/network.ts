// What is said about hosts that a session may not reach.

/** To a person; the answer `allow` opens it. */
export const hostRefused = (host: string, why: string): string =>
  `the agent's session tried to reach ${host}, and the network proxy refused it (${why}). Answer "allow" to let this run reach it, or "deny"; [isolation] hosts in pawl.toml allows it for every run`;

/** To the agent. */
export const hostAllowed = (host: string): string =>
  `You may reach ${host} now. Try again what failed.`;

export const hostDenied = (host: string, text: string): string =>
  `You may not reach ${host}; continue without it. The answer was: ${text}`;
