// `pawl vault request`: asks for a dangerous action. In an agent's session it writes to the spool
// and returns at once; for people it goes to the daemon.
import { Option, type Command } from "@commander-js/extra-typings";
import type { VaultView } from "../../../api/vault.ts";
import type { AddCommand } from "../../command.ts";
import type { Deps } from "../../deps.ts";
import { bodyFrom, collect, issueNumber, usage } from "../../options.ts";
import { spool } from "../../own-session.ts";
import { printJson } from "../../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl vault request --what News --webhook https://a.example --body-file n.json
  pawl vault request --what Ship --env "KEY={{secret:KEY}}" --command -- ./go.sh
  pawl vault request --what "Close the epic" --forge close --issue 12
  pawl vault request --what "Publish it" --type blog-post --body-file post.json

Secrets are named {{secret:NAME}} in headers, bodies and --env; Pawl fills them in when it
carries out the action.`;

type Options = {
  what: string;
  id?: string | undefined;
  risk?: string | undefined;
  reversible?: true | undefined;
  webhook?: string | undefined;
  method: string;
  header?: string[] | undefined;
  command?: true | undefined;
  argv: string[];
  env?: string[] | undefined;
  forge?: string | undefined;
  issue?: number | undefined;
  label?: string[] | undefined;
  unlabel?: string[] | undefined;
  type?: string | undefined;
  secret?: string[] | undefined;
  body?: string | undefined;
  bodyFile?: string | undefined;
  json?: true | undefined;
};

export function addRequest(vault: Command, { deps }: Parameters<AddCommand>[1]): void {
  vault
    .command("request")
    .description("request a dangerous action")
    .argument("[argv...]", "of --command: the program and its arguments, after --")
    .requiredOption("--what <sentence>", "describe the action for the person who decides")
    .option("--id <id>", "a new, unused id (default: generated)")
    .addOption(
      new Option("--risk <risk>", "raise the risk to at least this level").choices([
        "low",
        "medium",
        "high",
      ]),
    )
    .option("--reversible", "the action can be undone")
    .option("--webhook <url>", "send a request to this address")
    .option("--method <method>", "the HTTP method of the webhook", "POST")
    .option("--header <name: value>", "a header of the webhook; may be repeated", collect)
    .option("--command", "run the program after --")
    .option(
      "--env <name=value>",
      "an environment variable of the program; may be repeated",
      collect,
    )
    .addOption(
      new Option("--forge <act>", "what to do on the forge").choices(["comment", "label", "close"]),
    )
    .option("--issue <number>", "the issue of --forge", issueNumber)
    .option("--label <label>", "a label to add; may be repeated", collect)
    .option("--unlabel <label>", "a label to remove; may be repeated", collect)
    .option("--type <type>", "run your program vault/handlers/TYPE from the target branch")
    .option("--secret <name>", "a secret that --type needs; may be repeated", collect)
    .option("--body <text>", "the body of the webhook or comment, or the input of the program")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--json", "print JSON with all fields")
    .action((argv, options) => request(deps(), { ...options, argv }))
    .addHelpText("after", EXAMPLES);
}

async function request(deps: Deps, options: Options): Promise<void> {
  const { what, risk, reversible } = options;
  const body = (await bodyFrom(deps, options)) ?? "";
  const id = options.id ?? `v-${deps.newKey().slice(0, 8)}`;
  const ask = {
    id,
    what,
    ...(risk === undefined ? {} : { risk }),
    ...(reversible === undefined ? {} : { reversible }),
    action: actionOf(options, body),
  };
  if (deps.env["PAWL_SPOOL"] !== undefined) {
    await spool(deps, { kind: "vault", ...ask });
    deps.stdout(`${id}\n`);
    deps.stderr(`requested ${id}; the decision comes as a letter to your inbox\n`);
    return;
  }
  const item = await deps.client.post<VaultView>("/v1/vault", { ...ask, by: deps.user });
  if (options.json === true) return printJson(deps, item);
  deps.stdout(`${item.id}\n`);
  deps.stderr(`${item.id} is ${item.status}\n`);
}

/** Exactly one of the four kinds. */
function actionOf(options: Options, body: string): Record<string, unknown> {
  const { webhook, command, forge, type } = options;
  const kinds = [webhook, command, forge, type].filter((one) => one !== undefined);
  if (kinds.length !== 1) {
    throw usage("say what to do", "one of --webhook, --command, --forge and --type");
  }
  if (webhook !== undefined) {
    const headers = pairs(options.header, ":");
    return { kind: "webhook", endpoint: webhook, method: options.method, headers, body };
  }
  if (command !== undefined) {
    if (options.argv.length === 0) throw usage("--command needs a program", "name it after --");
    return { kind: "command", argv: options.argv, env: pairs(options.env, "="), input: body };
  }
  if (forge !== undefined)
    return { kind: "forge", issue: options.issue, act: actOf(options, body) };
  return { kind: "program", type, payload: body, secrets: options.secret ?? [] };
}

function actOf({ forge, issue, label, unlabel }: Options, body: string): Record<string, unknown> {
  if (issue === undefined) throw usage("--forge needs --issue");
  if (forge === "comment") return { kind: "comment", body };
  return forge === "close"
    ? { kind: "close" }
    : { kind: "label", add: label ?? [], remove: unlabel ?? [] };
}

function pairs(texts: string[] | undefined, joint: string): Record<string, string> {
  const all = (texts ?? []).map((text) => {
    const at = text.indexOf(joint);
    if (at < 1) throw usage(`"${text}" is not of the form name${joint}value`);
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  });
  return Object.fromEntries(all) as Record<string, string>;
}
