// A verdict's author is its giver, and only who may write on the forge gives one: what is taken for a
// review was given there by that account, a branch lands only with an approval of exactly its head
// (or where it may change only what its role keeps for itself), and only an operator's comment decides about an item of the vault.
import type { Event } from "../../src/core/event.ts";
import { projectOf, type AggregateId, type Commit } from "../../src/core/ids.ts";
import type { ReviewFacts } from "../../src/core/review.ts";
import { FORGE_OWNER, STRANGER } from "../config.ts";
import type { Fact } from "../fact.ts";
import { headsBetween, type SimProject, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** As whom the review role speaks. */
const REVIEWER = "pawl-review";

export const verdicts = (world: World): Checker => new Verdicts(world);

class Verdicts implements Checker {
  readonly name = "verdicts";
  readonly #world: World;
  /** Heads of branches whose files were looked at: such a task may change only its own. */
  readonly #restricted = new Set<Commit>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(fact: Fact): void {
    if (fact.kind === "target-moved" && fact.by === "pawl") this.#landed(fact);
    if (fact.kind !== "journaled") return;
    for (const { to, event } of fact.journaled.events) this.#note(to, event);
  }

  #note(to: AggregateId, event: Event): void {
    if (event.kind === "reviews-observed") for (const one of event.reviews) this.#given(to, one);
    if (event.kind === "branch-fetched" && event.paths !== undefined) {
      this.#restricted.add(event.head);
    }
    if (event.kind === "review-posted") this.#given(to, event.review);
    if (event.kind === "vault-approved" && event.comment === true) this.#approved(to, event.by);
  }

  #given(to: AggregateId, { id, author, head, verdict, own }: ReviewFacts): void {
    const { forge } = this.#world.project(projectOf(to));
    const all = [...forge.reviewsOf.values()].flat();
    const isGiven = all.some(
      (one) =>
        one.id === id && one.author === author && one.head === head && one.verdict === verdict,
    );
    if (!isGiven) this.#fail(`${to} knows the review ${id} of ${author}, who never gave it`);
    if (author === STRANGER) this.#fail(`${to} takes ${author}'s words for a review`);
    if (own === true && author !== REVIEWER) this.#fail(`${to} takes ${author} for its reviewer`);
  }

  #landed({ project: name, from, to }: Extract<Fact, { kind: "target-moved" }>): void {
    const { reviewRequired, reviewRole } = this.#world.options;
    if (!reviewRequired && reviewRole !== true) return;
    const project = this.#world.project(name);
    for (const head of headsBetween(project, from, to)) {
      if (this.#restricted.has(head) || isApproved(project, head)) continue;
      this.#fail(`${head} landed on ${name} without an approval`);
    }
  }

  #approved(to: AggregateId, by: string): void {
    const id = to.slice(to.indexOf("/") + 1);
    const { forge } = this.#world.project(projectOf(to));
    const said = [...forge.commentsOf.values()].flat().filter(({ body }) => body.includes(id));
    if (by === FORGE_OWNER && said.some(({ author }) => author === by)) return;
    this.#fail(`${to} was approved by a comment of ${by}, who may not decide or never said so`);
  }

  #fail(message: string): void {
    this.#world.fail(this.name, message);
  }
}

const isApproved = ({ forge }: SimProject, head: Commit): boolean =>
  [...forge.reviewsOf.values()]
    .flat()
    .some((one) => one.head === head && one.verdict === "approve" && one.author !== STRANGER);
