// One issue on a forge behind HTTP, from its label to its merged PR. Deaths at every single change
// there are test/acceptance/forge-crash.test.ts's; here are the points around the port.
import { makeForgeFactory, type ForgeFactory } from "../../../test/support/forge-factory.ts";
import { expectEqual, noProcessLeft, work, type Scenario } from "../scenario.ts";

/** What stands there twice. */
function said(statuses: { commit: string; context: string; state: string }[]): string[] {
  const all = statuses.map(({ commit, context, state }) => `${commit} ${context} ${state}`);
  return all.filter((one, index) => all.indexOf(one) !== index);
}

const made = new WeakMap<object, ForgeFactory>();

export const onForge: Scenario = {
  name: "an issue on a forge",
  points: /^forge\.(http\.|setStatus|mergePr)/,
  make: async () => {
    // No account may push to its target: the forge merges.
    const factory = await makeForgeFactory({ isProtected: true });
    factory.fake.state.rule.push = false;
    made.set(factory, factory);
    await factory.fileIssue("One", work("one"));
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: async (factory) => {
    const state = made.get(factory)?.fake.state;
    const shown = state?.issues.map((one) => [one.state, one.labels.length, one.pr?.merged]);
    return [
      ...expectEqual("the issue is closed, and its one PR merged", shown, [
        ["closed", 0, undefined],
        ["closed", 0, true],
      ]),
      // Of the head and of what lands, each begun and passed, or only passed.
      ...expectEqual("nothing is said twice", said(state?.statuses ?? []), []),
      ...expectEqual("no claim is left", state?.comments.length, 0),
      ...(await noProcessLeft(factory)),
    ];
  },
};
