import { handleAuth } from "@/server/auth/handle-auth";
import type { AuthServices } from "@/server/auth/auth-services";
import { type ApiLog, toFailureResponse } from "./failure-response";
import { getRequestId, parseJsonBody, readBody } from "./request-body";
import { PRIVATE_HEADERS } from "./response-headers";

/** Creates the handler of `/api/auth/…`, which never rejects. */
export const createAuthHandler =
  (authServices: AuthServices, log: ApiLog) =>
  async (request: Request): Promise<Response> => {
    const requestId = getRequestId(request.headers);
    try {
      const response = await handleAuth(authServices, request, async (from) =>
        parseJsonBody(await readBody(from)),
      );
      response.headers.set("x-request-id", requestId);
      for (const [name, value] of Object.entries(PRIVATE_HEADERS))
        response.headers.set(name, value);
      return response;
    } catch (error) {
      const { status, headers, body } = toFailureResponse(error, { request, requestId, log });
      return new Response(body, { status, headers: { ...headers, "x-request-id": requestId } });
    }
  };
