import { isIP } from "node:net";
import path from "node:path";
import { NewOwner } from "@/contract/account";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";
import { ProviderName, type ToolProtocol } from "@/contract/model";
import { createSettingError } from "./setting-reader";

/** A model as `PARLEY_MODELS` names it. */
export type ModelName = { provider: ProviderName; model: string; toolProtocol?: ToolProtocol };

/** @returns an absolute path. */
export const parseFolder = (folder: string): string =>
  path.resolve(/* turbopackIgnore: true */ folder);

/** Parses `PARLEY_EXEC_PATHS`. */
export const parseFolders = (list: string | null): string[] =>
  (list ?? "")
    .split(":")
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "")
    .map((folder) => {
      if (path.isAbsolute(folder)) return parseFolder(folder);
      throw createSettingError("PARLEY_EXEC_PATHS", `has "${folder}"`, {
        remedy: "write absolute paths, separated by colons, such as /opt/python:/opt/node",
      });
    });

/** Splits a list at its commas. */
export const parseList = (list: string | null): string[] =>
  (list ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const isHostName = (text: string): boolean => /^[\w-]+(?:\.[\w-]+)*$/.test(text);

/** Checks a name of `PARLEY_ALLOWED_HOSTS`. */
export const parseHost = (host: string): string => {
  if (isHostName(host)) return host.toLowerCase();
  throw createSettingError("PARLEY_ALLOWED_HOSTS", `has "${host}"`, {
    remedy: "write host names without scheme and port, such as chat.example.org",
  });
};

/** @throws {Error} for what no browser sends as the origin of a page. */
export const parseOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.origin === text.toLowerCase() && /^https?:$/.test(url.protocol);
  if (isOrigin) return url.origin;
  throw createSettingError("PARLEY_CORS_ORIGINS", `has "${text}"`, {
    remedy: "write origins as browsers send them, without a path, such as https://app.example.com",
  });
};

/** Whether a text is an address, or a network as CIDR. */
const isNetwork = (text: string): boolean => {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
};

/** Checks an entry of `PARLEY_TRUSTED_PROXIES`. */
export const parseNetwork = (network: string): string => {
  if (isNetwork(network)) return network;
  throw createSettingError("PARLEY_TRUSTED_PROXIES", `has "${network}"`, {
    remedy: "write addresses or networks, such as 127.0.0.1 or 10.0.0.0/8",
  });
};

/** Checks an entry of `PARLEY_WEB_ALLOW`. */
export const parseDestination = (entry: string): string => {
  // A name that ends in a number is an address with a mistake in it.
  if (isNetwork(entry) || (isHostName(entry) && !/(?:^|\.)\d+$/.test(entry)))
    return entry.toLowerCase();
  throw createSettingError("PARLEY_WEB_ALLOW", `has "${entry}"`, {
    remedy: "write host names, addresses or networks, such as wiki.example.internal or 10.0.0.0/8",
  });
};

const HOSTS_SUFFIX = "_HOSTS";

/** Separates the variables of MCP servers from those that say where they may go, which are no values for servers. */
export const parseMcpVariables = (variables: Readonly<Record<string, string>>) => {
  const isBinding = (name: string): boolean =>
    name.endsWith(HOSTS_SUFFIX) && Object.hasOwn(variables, name.slice(0, -HOSTS_SUFFIX.length));
  const entries = Object.entries(variables);
  return {
    mcpVariables: Object.fromEntries(entries.filter(([name]) => !isBinding(name))),
    mcpDestinations: Object.fromEntries(
      entries
        .filter(([name, list]) => isBinding(name) && list.trim() !== "")
        .map(([name, list]) => [
          name.slice(0, -HOSTS_SUFFIX.length),
          parseList(list).map((entry) => parseMcpDestination(name, entry)),
        ]),
    ),
  };
};

/** @returns an origin, or `program`. */
const parseMcpDestination = (name: string, entry: string): string => {
  if (entry === "program") return entry;
  const url = /^https?:\/\//.test(entry) ? entry : `https://${entry}`;
  const { origin, href } = URL.canParse(url) ? new URL(url) : { origin: "", href: "" };
  // An address with more than a scheme, a host and a port would promise more than is compared.
  if (href === `${origin}/` && !/[*\s]/.test(entry)) return origin;
  throw createSettingError(name, `has "${entry}"`, {
    remedy:
      "write host names such as api.example.org, origins such as http://10.0.0.5:8080, or program",
  });
};

/** Marks a model that calls tools as XML in its answers. */
const XML_SUFFIX = "=xml";

/** Parses `PARLEY_MODELS`. */
export const parseModels = (list: string): ModelName[] => {
  const models = new Map<string, ModelName>();
  for (const item of parseList(list)) {
    const isXml = item.endsWith(XML_SUFFIX);
    const name = isXml ? item.slice(0, -XML_SUFFIX.length) : item;
    const slash = name.indexOf("/");
    const provider = ProviderName.safeParse(name.slice(0, slash));
    const model = name.slice(slash + 1);
    if (slash < 1 || !provider.success || model === "") {
      throw createSettingError("PARLEY_MODELS", `has "${item}"`, {
        remedy: `write each model as provider/model, with a provider of ${ProviderName.options.join(", ")}`,
      });
    }
    models.set(name, { provider: provider.data, model, ...(isXml && { toolProtocol: "xml" }) });
  }
  if (models.size > 0) return [...models.values()];
  throw createSettingError("PARLEY_MODELS", "names no model", {
    remedy: "name one, such as demo/demo",
  });
};

/** Checks `PARLEY_OWNER_EMAIL` and `PARLEY_OWNER_PASSWORD`, which are set together or not at all. */
export const parseOwner = (
  email: string | null,
  password: string | null,
): { email: string; password: string } | null => {
  if (email === null && password === null) return null;
  if (email === null || password === null) {
    const missing = email === null ? "PARLEY_OWNER_EMAIL" : "PARLEY_OWNER_PASSWORD";
    throw createSettingError(missing, "is not set, but the other one is", {
      remedy: "set PARLEY_OWNER_EMAIL and PARLEY_OWNER_PASSWORD, or neither",
    });
  }
  if (!NewOwner.shape.email.safeParse(email).success) {
    throw createSettingError("PARLEY_OWNER_EMAIL", `is "${email}"`, {
      remedy: "set it to an e-mail address",
    });
  }
  if (!NewOwner.shape.password.safeParse(password).success) {
    throw createSettingError("PARLEY_OWNER_PASSWORD", `has ${password.length} characters`, {
      remedy: `give it ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH}`,
    });
  }
  return { email, password };
};
