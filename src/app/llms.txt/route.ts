import { appApi } from "@/server/api/process-api";

export const dynamic = "force-dynamic";

export const GET = (request: Request): Promise<Response> => appApi().handleLlms(request);
