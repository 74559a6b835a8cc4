import { appApi } from "@/server/api/app-api";

export const dynamic = "force-dynamic";

export const GET = (): Response => appApi().handleHealthz();
