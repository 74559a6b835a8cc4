import { appApi } from "@/server/api/process-api";

export const dynamic = "force-dynamic";

export const GET = (): Promise<Response> => appApi().handleReadyz();
