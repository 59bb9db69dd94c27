// Formulas: each step writes down that it ran.
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../../../test/support/pawl.ts";
import { expectEqual, GATE, noProcessLeft, type Scenario } from "../scenario.ts";

const step = (id: string, more: string): string =>
  `[[steps]]\nid = "${id}"\nrun = 'echo ${id} >> "$HOME/log"'\n${more}\n`;

const gate = (id: string, spec: string): string => `[[steps]]\nid = "${id}"\ngate = { ${spec} }\n`;
const READY = [
  gate("ready", 'type = "command", command = "true"'),
  gate("soon", 'type = "timer", timeout = "1 s"'),
  gate("asked", 'type = "issue", await_id = 1'),
].join("");

export const formula: Scenario = {
  name: "a formula",
  points: /^(gate|commands)\./,
  make: async () => {
    const config = `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`;
    const factory = await makeFactory({ config, files: GATE });
    const chain = `name = "chain"\n${step("one", "")}${READY}${step("two", 'needs = ["one", "ready", "soon", "asked"]')}`;
    factory.write({ "chain.toml": chain });
    await factory.ok("issue", "add", "--title", "Asked", "--label", "vision");
    await factory.ok("issue", "close", "1");
    await factory.ok("formula", "run", "chain.toml", "--detach");
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => [
    ...expectEqual("each step ran once", factory.read("user/log"), "one\ntwo\n"),
    ...expectEqual("it is done", (await factory.ok("formula", "status")).split("\t")[1], "done"),
    ...expectEqual("no gate is open", await factory.ok("gate", "list"), ""),
    ...(await noProcessLeft(factory)),
  ],
};
