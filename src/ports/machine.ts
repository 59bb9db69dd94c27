// The machine under the factory, for guards and patrols. It is only looked at.
// Contract: quick, no failure for a file that is not there (0 MB); what cannot be told throws.
export type Machine = {
  /** In MB: what programs can still get, what was swapped out, and what this daemon uses. */
  memory(): Promise<{ freeMb: number; swapUsedMb: number; ownMb: number }>;
  /** The size of a file in MB. */
  fileMb(path: string): Promise<number>;
  /** How full the disk under this folder is. */
  diskUsedPercent(path: string): Promise<number>;
  /** Programs that run or wait to, for each core, over the last five minutes. */
  loadPerCore(): number;
  /** The containers that run, each in a line; none where no program for them is installed. */
  containers(): Promise<string[]>;
  /** The last lines of a text file, without what terminals read as commands; none where it is missing. */
  tail(path: string, lines: number): Promise<string[]>;
  /** The folders in a folder, with when each was last changed; none where it is missing. */
  folders(path: string): Promise<{ name: string; changedAt: number }[]>;
};
