import { randomUUID } from "node:crypto";
import type { Problem } from "@/contract/problem";
import type { Refusal } from "./check-request";

/** An answer before it is one of Node or of the web. */
type RefusalAnswer = { status: number; headers: Record<string, string>; body: string };

/** @param accept the header of the request: browsers get a page, programs a problem document. */
export const toRefusalAnswer = (
  refusal: Refusal,
  accept: string | null | undefined,
): RefusalAnswer => {
  const { status, headers } = refusal;
  const requestId = randomUUID();
  const isPage = accept?.includes("text/html") ?? false;
  const body = isPage ? toPage(refusal) : JSON.stringify(toProblem(refusal, requestId));
  return {
    status,
    headers: {
      "content-type": isPage ? "text/html; charset=utf-8" : "application/problem+json",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      // The body was not read, so the connection cannot carry another request.
      connection: "close",
      ...headers,
    },
    body,
  };
};

const toProblem = ({ status, title, code, detail }: Refusal, requestId: string): Problem => ({
  type: "about:blank",
  title,
  status,
  detail,
  code,
  request_id: requestId,
});

/** A page without scripts or styles of its own; it loads again by itself when the refusal is temporary. */
const toPage = ({ title, detail, headers }: Refusal): string => {
  const seconds = headers?.["retry-after"];
  const reload = seconds ? `<meta http-equiv="refresh" content="${seconds}">` : "";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">${reload}<title>${title} · Parley</title>
<h1>${title}</h1><p>${detail}</p></html>
`;
};
