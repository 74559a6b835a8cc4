import { appApi } from "@/server/api/process-api";

export const dynamic = "force-dynamic";

const handle = (request: Request): Promise<Response> => appApi().handleTrpc(request);

export { handle as GET, handle as POST };
