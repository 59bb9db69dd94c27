// The session of a life, and those of the agents that opencode starts for it: what these ask is asked
// here, and what they use is used by this life. Other sessions of the workspace are a person's affair.
export type SessionInfo = { id: string; parentID?: string };

export class Sessions {
  /** Empty until it is open. */
  own = "";
  readonly #below = new Set<string>();

  hear({ id, parentID }: SessionInfo): void {
    if (parentID !== undefined && this.has(parentID)) this.#below.add(id);
  }

  has(id: string): boolean {
    return (id === this.own && id !== "") || this.#below.has(id);
  }
}
