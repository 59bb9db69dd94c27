// The proxy that git uses is used for forges and CI servers, too. The settings are read as git reads
// them: `http.proxy` of its configuration before the environment.
import { askGit } from "./ask-git.ts";
import { passEnvironment, toolEnvironment } from "./environment.ts";

/** What says where git's configuration is. */
const WHERE = ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

type Environment = Readonly<Record<string, string | undefined>>;
type Proxies = { http_proxy?: string; https_proxy?: string; no_proxy?: string };

let used: Promise<void> | undefined;

/** For every request of this process; harmless to repeat. */
export const useProxy = (): Promise<void> => (used ??= applyProxy(process.env));

async function applyProxy(env: Environment): Promise<void> {
  const seen = { ...toolEnvironment(), ...passEnvironment(WHERE) };
  const proxies = proxiesOf(env, await askGit("/", ["config", "--get", "http.proxy"], seen));
  if (proxies.http_proxy === undefined && proxies.https_proxy === undefined) return;
  const http: { setGlobalProxyFromEnv?: (env: Proxies) => unknown } = await import("node:http");
  // Not in a Node before 24.14.
  http.setGlobalProxyFromEnv?.(proxies);
}

/** `configured`: git's http.proxy; an empty one means that none is used. */
export function proxiesOf(env: Environment, configured: string | undefined): Proxies {
  const all = env["all_proxy"] ?? env["ALL_PROXY"];
  const http = usable(configured ?? env["http_proxy"] ?? all);
  const https = usable(configured ?? env["https_proxy"] ?? env["HTTPS_PROXY"] ?? all);
  const none = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  return {
    ...(http === undefined ? {} : { http_proxy: http }),
    ...(https === undefined ? {} : { https_proxy: https }),
    ...(none === "" ? {} : { no_proxy: withBelow(none) }),
  };
}

/** Node speaks to proxies over HTTP and HTTPS only; git takes one without a scheme for HTTP. */
function usable(proxy: string | undefined): string | undefined {
  if (proxy === undefined || proxy === "") return undefined;
  const url = proxy.includes("://") ? proxy : `http://${proxy}`;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/** For git a host stands for all hosts below it as well; for Node it does not. */
function withBelow(list: string): string {
  const hosts = list.split(/[\s,]+/).filter((host) => host !== "");
  const isName = (host: string): boolean => /^[a-z][\w.-]*$/i.test(host);
  return hosts.flatMap((host) => (isName(host) ? [host, `.${host}`] : [host])).join(",");
}
