import { chmod, writeFile } from "node:fs/promises";
import tls from "node:tls";

/** Node.js from 22.19 on; older versions know only the authorities that they were built with, and those of NODE_EXTRA_CA_CERTS. */
const canChoose = typeof tls.setDefaultCACertificates === "function";

/** Lets all connections of this process trust the authorities of the system, as other programs of the machine do. */
export const trustSystemAuthorities = (): void => {
  if (canChoose) tls.setDefaultCACertificates(listAuthorities());
};

/** The lines of the same certificate differ from store to store. */
const listAuthorities = (): string[] => {
  const all = [...tls.getCACertificates("default"), ...tls.getCACertificates("system")];
  return [...new Map(all.map((pem) => [pem.replace(/\s/g, ""), pem])).values()];
};

/**
 * Writes all authorities that this process trusts into one file, for commands, which may have another account.
 *
 * @returns undefined where they are not known.
 */
export const writeAuthorities = async (file: string): Promise<string | undefined> => {
  if (!canChoose) return undefined;
  await writeFile(file, listAuthorities().join("\n"));
  await chmod(file, 0o644);
  return file;
};
