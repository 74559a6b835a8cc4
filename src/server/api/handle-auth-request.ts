import { handleAuth } from "@/server/auth/handle-auth";
import type { AuthServices } from "@/server/auth/auth-services";
import type { ApiLog } from "./api-log";
import { failureAnswer } from "./failure-answer";
import { parseJsonBody, readBody } from "./request-body";
import { requestIdOf } from "./request-id";

/** Answers `/api/auth/…`. Never rejects. */
export const createAuthHandler =
  (services: AuthServices, log: ApiLog) =>
  async (request: Request): Promise<Response> => {
    const requestId = requestIdOf(request.headers);
    try {
      const response = await handleAuth(services, request, async (from) =>
        parseJsonBody(await readBody(from)),
      );
      response.headers.set("x-request-id", requestId);
      return response;
    } catch (error) {
      const { status, headers, body } = failureAnswer(error, { request, requestId, log });
      return new Response(body, { status, headers: { ...headers, "x-request-id": requestId } });
    }
  };
