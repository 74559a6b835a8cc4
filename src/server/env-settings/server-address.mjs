// Plain JavaScript, as scripts read addresses, too.

/**
 * Where a PostgreSQL server is, as an address says. What it leaves out, the driver takes from variables such as PGUSER.
 *
 * @typedef {object} ServerAddress
 * @property {string} [host] a name, an address, or the folder of a Unix socket
 * @property {number} [port]
 * @property {string} [user]
 * @property {string} [password]
 * @property {string} [database]
 * @property {Readonly<Record<string, string>>} parameters
 */

const ENCODING =
  "write signs of a name or password that have a meaning in addresses as their codes: " +
  "/ as %2F, ? as %3F, # as %23, @ as %40, : as %3A, % as %25 and a space as %20";
const EXAMPLE = "write it as postgresql://user:password@host:5432/database";

const TLS_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
const MAX_PORT = 65_535;

/** @typedef {(problem: string, remedy: string) => never} Refuse */

/**
 * Reads an address as PostgreSQL's own programs do. Neither the password nor what may be a part of it is in an error.
 *
 * @param {string} text
 * @param {string} name of the variable, for errors
 * @returns {ServerAddress}
 * @throws {Error} a sentence for operators
 */
export const parseServerAddress = (text, name) => {
  /** @type {Refuse} */
  const refuse = (problem, remedy) => {
    throw new Error(`${name} ${problem}: ${remedy}.`);
  };
  const decode = createDecoder(refuse);
  const { authority, path, query } = splitAddress(text, refuse);
  const parameters = readParameters(query, decode);
  requireOwnSchema(parameters, refuse);
  const loginEnd = authority.lastIndexOf("@");
  const [user = "", ...password] = authority.slice(0, Math.max(0, loginEnd)).split(":");
  const { host, port } = splitHost(authority.slice(loginEnd + 1), refuse);
  return {
    ...withoutEmpty({
      host: parameters.host || decode(host).replace(/^\[(.*)\]$/, "$1"),
      user: parameters.user || decode(user),
      password: parameters.password || decode(password.join(":")),
      database: parameters.dbname || decode(path),
    }),
    ...parsePort(parameters.port || decode(port), refuse),
    parameters: { ...readTlsVariables(), ...parameters },
  };
};

/** The driver reads PGSSLMODE in its own way, and the others not at all. */
const readTlsVariables = () =>
  withoutEmpty(
    Object.fromEntries(
      // eslint-disable-next-line no-restricted-syntax -- they are no settings of Parley
      TLS_PARAMETERS.map((name) => [name, process.env[`PG${name.toUpperCase()}`] ?? ""]),
    ),
  );

/** @type {(text: string, refuse: Refuse) => { authority: string, path: string, query: string }} */
const splitAddress = (text, refuse) => {
  const [, authority = "", path = "", query = ""] =
    /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?([\s\S]*))?$/i.exec(text) ??
    refuse("is not the address of a PostgreSQL server", EXAMPLE);
  // A sign of the password was taken for the begin of the next part.
  if (/[#\s]/.test(text) || /[@/]/.test(path) || query.includes("@")) {
    refuse("cannot be read", ENCODING);
  }
  return { authority, path, query };
};

/** @type {(refuse: Refuse) => (text: string) => string} */
const createDecoder = (refuse) => (text) => {
  let decoded;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    return refuse("has a % that is not the beginning of a code such as %40", ENCODING);
  }
  return decoded.includes("\0") ? refuse("has the code %00", "leave it out") : decoded;
};

/** @type {(query: string, decode: (text: string) => string) => Record<string, string>} */
const readParameters = (query, decode) =>
  Object.fromEntries(
    query
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const [key = "", ...value] = pair.split("=");
        return [decode(key), decode(value.join("="))];
      }),
  );

/** @type {(parameters: Record<string, string>, refuse: Refuse) => void} */
const requireOwnSchema = ({ schema = "public" }, refuse) => {
  if (schema === "public") return;
  refuse(
    `asks for the schema "${schema}", but the tables are in the schema "public"`,
    "leave the schema out, and use a database of its own",
  );
};

/** @type {(text: string, refuse: Refuse) => { host: string, port: string }} */
const splitHost = (text, refuse) => {
  if (text.includes(",")) {
    refuse(
      "names several hosts",
      "set it to one, such as an address that always leads to the server that can be written",
    );
  }
  const [, host = "", port = ""] =
    /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? refuse("cannot be read", ENCODING);
  return { host, port };
};

/** @type {(text: string, refuse: Refuse) => { port?: number }} */
const parsePort = (text, refuse) => {
  if (text === "") return {};
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= MAX_PORT) return { port };
  // It may be a part of the password.
  return refuse(`has a port that is no number from 1 to ${MAX_PORT}`, ENCODING);
};

/** @type {(values: Record<string, string>) => Record<string, string>} */
const withoutEmpty = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
