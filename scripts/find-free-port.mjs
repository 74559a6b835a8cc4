import { createServer } from "node:net";

/** @returns {Promise<number>} a loopback port that no program listens on */
export const findFreePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
