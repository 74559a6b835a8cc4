import { startProcess } from "@/server/app/start-process";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { createApi } from "./create-api";
import { setProcessApi } from "./process-api";

/** Starts a process that serves requests. */
export const startApi = async (): Promise<void> => {
  const { tools, ...started } = await startProcess();
  const { sources: toolSources, recipes } = tools;
  setProcessApi(
    createApi({ ...started, toolSources, recipes, log: log(), publicDocs: env().publicDocs }),
  );
};
