import { existsSync } from "node:fs";
import { join } from "node:path";

/** Takes the settings of `.env`; the environment's own win, as they do in Next.js. */
export const loadEnvFile = () => {
  const path = join(import.meta.dirname, "../.env");
  if (existsSync(path)) process.loadEnvFile(path);
};
