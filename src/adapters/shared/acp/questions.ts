// What an agent asks a person: a permission (session/request_permission), or a form of choices
// (elicitation/create), whose fields are asked one after the other. A question is open until it is
// answered, or its turn is interrupted. Sub-agents ask at the same time: a person reads one at a time.
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { isObject } from "../../../lib/json-object.ts";
import type { DriverEvent } from "../agent-host/driver.ts";
import { OpenQuestions, type AskId } from "../agent-host/open-questions.ts";

type Value = string | boolean;
type Choice = { label: string; value: Value };
type Field = { name: string; text: string; choices: Choice[] };

type Settle = (choice: number | undefined) => void;

export class Questions {
  readonly #emit: (event: DriverEvent) => void;
  readonly #open: OpenQuestions;
  readonly #settles = new Map<AskId, Settle>();
  #count = 0;

  constructor(emit: (event: DriverEvent) => void) {
    this.#emit = emit;
    this.#open = new OpenQuestions(emit);
  }

  async permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { options } = request;
    const choice = await this.#ask(
      permissionText(request),
      options.map(({ name }) => name),
    );
    const option = choice === undefined ? undefined : options[choice];
    return option === undefined
      ? { outcome: { outcome: "cancelled" } }
      : { outcome: { outcome: "selected", optionId: option.optionId } };
  }

  async form(request: CreateElicitationRequest): Promise<CreateElicitationResponse> {
    const fields = fieldsOf(request);
    if (fields === undefined) {
      const text = `a question without choices was declined: ${request.message}`;
      this.#emit({ kind: "warning", text });
      return { action: "decline" };
    }
    const content: Record<string, Value> = {};
    for (const { name, text, choices } of fields) {
      const labels = choices.map(({ label }) => label);
      const chosen = await this.#ask(text, labels);
      const value = chosen === undefined ? undefined : choices[chosen]?.value;
      if (value === undefined) return { action: "cancel" };
      content[name] = value;
    }
    return { action: "accept", content };
  }

  answer(name: string, choice: number): void {
    const taken = this.#open.take(name, choice);
    if (taken === undefined) return;
    this.#settles.get(taken.id)?.(choice);
    this.#settles.delete(taken.id);
  }

  /** The protocol wants every question of an interrupted turn answered so. */
  cancelAll(): void {
    this.#open.allResolved();
    for (const settle of this.#settles.values()) settle(undefined);
    this.#settles.clear();
  }

  #ask(text: string, labels: string[]): Promise<number | undefined> {
    this.#count += 1;
    const id = this.#count;
    const choices = labels.map((words, result) => ({ words, result }));
    return new Promise((settle) => {
      this.#settles.set(id, settle);
      this.#open.add({ id, text, choices });
    });
  }
}

function permissionText({ toolCall }: RequestPermissionRequest): string {
  const raw = isObject(toolCall.rawInput) ? toolCall.rawInput["command"] : undefined;
  const title = toolCall.title ?? "use a tool";
  const command = typeof raw === "string" && !title.includes(raw) ? `: ${raw}` : "";
  return `The agent asks for permission: ${title}${command}`;
}

/** Undefined where it asks for something that is no choice, and cannot do without. */
function fieldsOf(request: CreateElicitationRequest): Field[] | undefined {
  const schema = "requestedSchema" in request ? request.requestedSchema : undefined;
  if (!isObject(schema)) return undefined;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const choices = isObject(property) ? choicesOf(property) : [];
    if (choices.length > 0) fields.push({ name, text: fieldText(request, property), choices });
    else if (required.includes(name)) return undefined;
  }
  return fields.length === 0 ? undefined : fields;
}

function fieldText({ message }: CreateElicitationRequest, property: unknown): string {
  const own = isObject(property) ? (property["description"] ?? property["title"]) : undefined;
  return typeof own === "string" && !message.includes(own) ? `${message} (${own})` : message;
}

function choicesOf(property: Record<string, unknown>): Choice[] {
  if (property["type"] === "boolean") {
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  }
  if (Array.isArray(property["enum"])) {
    return property["enum"].filter(isText).map((value) => ({ label: value, value }));
  }
  const listed = Array.isArray(property["oneOf"]) ? (property["oneOf"] as unknown[]) : [];
  return listed.filter(isObject).flatMap((one) => {
    const { const: value, title } = one;
    return isText(value) ? [{ label: isText(title) ? title : value, value }] : [];
  });
}

const isText = (value: unknown): value is string => typeof value === "string";
