import { preview } from "vite";

/** Serves the files of a folder on a free port of this machine. */
export const serveFolder = async (folder: string) => {
  const server = await preview({
    configFile: false,
    logLevel: "error",
    root: folder,
    build: { outDir: folder },
    preview: { host: "127.0.0.1", port: 0 },
  });
  const [url = ""] = server.resolvedUrls?.local ?? [];
  return { url, close: () => server.close() };
};
