import { DomainError } from "@/contract/domain-error";
import { type ApiLog, toFailureResponse } from "./failure-response";
import { getRequestId } from "./request-body";

/** Answers a request for a path that does not exist with a problem document, as programs expect. */
export const handleUnknownPath = (request: Request, log: ApiLog): Response => {
  const requestId = getRequestId(request.headers);
  const { pathname } = new URL(request.url);
  const error = new DomainError(
    "not_found",
    `There is nothing at ${pathname}: the paths are in /api/v1/openapi.json.`,
  );
  const { status, headers, body } = toFailureResponse(error, { request, requestId, log });
  return new Response(body, { status, headers: { ...headers, "x-request-id": requestId } });
};
