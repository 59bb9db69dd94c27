// A link to a page of the forge.

type LinkProps = { url: string | null | undefined; text: string };

/** What a forge calls a link may be anything: only a web page is opened. */
export function ForgeLink({ url, text }: LinkProps) {
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return null;
  return (
    <>
      {" · "}
      <a href={url} target="_blank" rel="noreferrer">
        {text} ↗
      </a>
    </>
  );
}

/** Forges lead on from there: issues and PRs share their numbers. */
export const urlOfPr = (issueUrl: string | null | undefined, pr: number | null): string | null =>
  pr === null || typeof issueUrl !== "string" ? null : issueUrl.replace(/\d+$/, String(pr));
