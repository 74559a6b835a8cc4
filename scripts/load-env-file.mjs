import { existsSync } from "node:fs";
import { join } from "node:path";

/** Loads `.env`. Variables of the environment take precedence, as in Next.js. */
export const loadEnvFile = () => {
  const path = join(import.meta.dirname, "../.env");
  if (existsSync(path)) process.loadEnvFile(path);
};
