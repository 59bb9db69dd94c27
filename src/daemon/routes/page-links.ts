// Routes about the page: links that pair a browser, and the paired ones. Only the command line has
// them: a paired browser cannot pair another.
import type { Hono } from "hono";
import { pageLinkSchema } from "../../api/page.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Page } from "../page/start-page.ts";
import { bodyOf, type Routes } from "./context.ts";

export function addPageLinks(app: Hono, routes: Routes): void {
  app.post("/v1/page/links", async (context) => {
    const { scope } = await bodyOf(context, pageLinkSchema);
    return context.json(await pageOf(routes).link(scope));
  });

  app.get("/v1/page/devices", async (context) => context.json(await pageOf(routes).devices()));

  app.post("/v1/page/devices/:id/revoke", async (context) => {
    const id = context.req.param("id");
    if (await pageOf(routes).revoke(id)) return context.json({ revoked: id });
    throw new OperationError(`there is no paired device "${id}"`, {
      code: "not-found",
      hint: "see `pawl page devices`",
    });
  });
}

function pageOf({ page }: Routes): Page {
  const served = page?.();
  if (served !== undefined) return served;
  throw new OperationError("the daemon serves the page, and no daemon runs", {
    code: "no-daemon",
    hint: "`pawl up` starts it",
  });
}
