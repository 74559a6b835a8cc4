import { appApi } from "@/server/api/process-api";

export const dynamic = "force-dynamic";

const handle = (request: Request): Response => appApi().handleUnknown(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
