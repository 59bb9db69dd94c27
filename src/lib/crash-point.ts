// A named place between two external mutations where a test may end the real process.
// Names are string literals at the call site, so that a test can list them by grep.
export type CrashPoint = (name: string) => Promise<void> | void;

/** What production passes: nothing happens. */
export const noCrash: CrashPoint = () => {};
