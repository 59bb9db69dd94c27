// Watches what is said to a forge and what it answers, and remembers what its API description does not
// allow. A fake asks it for every request, so that every test of that fake is held to the description;
// before a real forge stands a door that does.
import type { IncomingMessage } from "node:http";
import type { Description } from "./description.ts";
import { exchangeFaults } from "./exchange.ts";
import { Filler } from "./fill.ts";

type Answered = { status: number; body?: unknown };

export type Watch = {
  /** A fake's answer, with what its API always sends and Pawl never reads. */
  held: <T extends Answered>(request: IncomingMessage, text: string, given: T) => T;
  /** A request alone: the answer is another forge's. */
  asked: (request: IncomingMessage, text: string, given: { status: number }) => void;
  /** A real forge's. */
  saw: (request: IncomingMessage, text: string, given: { status: number; text: string }) => void;
  /** What was not as described so far, in one text; undefined where all was. */
  faults: () => string | undefined;
  /** Throws where anything was not as described. */
  end: () => void;
};

/** A real server may say more than it describes: Gitea does (`owner.username`). A fake may not. */
const SAYS_MORE = /: answer .*: is not described$/;
type Real = { isReal?: true };

const SHOWN_MAX = 30;

/** `base`: what paths begin with, e.g. `/api/v1`. `read`: what a fake has to answer by itself. */
export function watchExchanges(
  description: Description | undefined,
  { base, read = new Set() }: { base: string; read?: ReadonlySet<string> },
): Watch {
  if (description === undefined) {
    const nothing = (): undefined => undefined;
    const held: Watch["held"] = (_request, _text, given) => given;
    return { held, asked: nothing, saw: nothing, faults: nothing, end: nothing };
  }
  const faults = new Set<string>();
  const filler = new Filler(description, read);

  const note = (
    request: IncomingMessage,
    text: string,
    { part = "all", ...given }: Answered & Real & { part?: "request" | "all" },
  ): void => {
    const exchange = { body: jsonIn(text), status: given.status, answer: given.body };
    try {
      const found = exchangeFaults(description, { ...asked(request, base), ...exchange }, part);
      for (const fault of found) {
        if (given.isReal !== true || !SAYS_MORE.test(fault)) faults.add(unnumbered(fault));
      }
    } catch (error) {
      // A server that throws answers nothing: the test would wait instead of failing.
      faults.add(`${request.method} ${request.url} cannot be checked: ${String(error)}`);
    }
  };

  function told(): string | undefined {
    if (faults.size === 0) return undefined;
    const shown = [...faults].slice(0, SHOWN_MAX);
    const more = faults.size - shown.length;
    const rest = more > 0 ? `\nand ${more} more` : "";
    return `not as ${description?.api} describes itself:\n${shown.join("\n")}${rest}`;
  }

  return {
    held(request, text, given) {
      const { method, path } = asked(request, base);
      const schema = description.find(method, path)?.answers.get(given.status);
      const body = schema === undefined ? given.body : filler.fill(schema, given.body);
      note(request, text, { ...given, body });
      return { ...given, body };
    },
    asked: (request, text, { status }) => note(request, text, { status, part: "request" }),
    saw(request, text, given) {
      note(request, text, { status: given.status, body: jsonIn(given.text), isReal: true });
    },
    faults: told,
    end() {
      const all = told();
      if (all !== undefined) throw new Error(all);
    },
  };
}

function asked(request: IncomingMessage, base: string) {
  const url = new URL(request.url ?? "/", "http://fake");
  const path = url.pathname.replace(base, "");
  return { method: request.method ?? "GET", path, query: url.searchParams };
}

/** What is not JSON stays text, which no description allows. */
function jsonIn(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The same fault of every item of a list is one. */
const unnumbered = (fault: string): string => fault.replaceAll(/\[\d+\]/g, "[]");
