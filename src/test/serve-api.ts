import { createServer } from "node:http";
import { serveRest } from "@/server/http/serve-rest";
import type { TestApi } from "./api-client";

/** Serves the REST API over HTTP on a free port of this machine. */
export const serveApi = async ({ api }: Pick<TestApi, "api">) => {
  const server = createServer((incoming, outgoing) => {
    serveRest(api.handleRest, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
