import { handleHealthz } from "@/server/api/health";

export const dynamic = "force-dynamic";

export const GET = (): Response => handleHealthz();
