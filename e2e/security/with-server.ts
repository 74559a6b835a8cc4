import { createTestServer, type TestServer } from "../server";

/** Runs a server for one test whose limits, once reached, would refuse the requests of others. */
export const withServer = async (use: (server: TestServer) => Promise<void>): Promise<void> => {
  const server = await createTestServer();
  try {
    await server.start();
    await use(server);
  } finally {
    await server.remove();
  }
};
