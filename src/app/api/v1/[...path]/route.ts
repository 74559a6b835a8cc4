import { appApi } from "@/server/api/process-api";
import { serveRestWithoutFront } from "@/server/http/rest-without-front";

export const dynamic = "force-dynamic";

// The HTTP front serves REST by itself, so a request comes here only where Next is started alone.
const handle = (request: Request): Promise<Response> =>
  serveRestWithoutFront(appApi().handleRest, request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
