// Plain JavaScript, as scripts connect to servers, too.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import tls from "node:tls";
import pg from "pg";
// eslint-disable-next-line no-restricted-imports -- Node.js, which runs scripts, does not know what `@` stands for
import { parseServerAddress } from "../../env-settings/server-address.mjs";

/**
 * @typedef {import("pg").ClientConfig & {
 *   variable: string,
 *   mayLackTls: boolean,
 *   Client: typeof ServerClient,
 * }} ServerConfig `variable` names the address in errors. With `mayLackTls`, a server without TLS is used, too.
 */

/** The meanings are those of PostgreSQL's own programs; `no-verify` is one of the driver. */
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
/** `ssl`, as other drivers have it. */
const MODE_BY_SSL = { true: "require", 1: "require", false: "disable", 0: "disable" };
/** Also of Unix sockets, whatever the mode says. */
const WITHOUT_TLS = { mode: "disable", ssl: false };
const OPTIONAL = new Set(["allow", "prefer"]);

/** Creates the driver's configuration for an address. @type {(text: string, variable: string) => ServerConfig} */
export const createServerConfig = (text, variable) => {
  const { parameters, ...place } = parseServerAddress(text, variable);
  const isSocket = place.host?.startsWith("/") ?? false;
  const { mode, ssl } = isSocket ? WITHOUT_TLS : createTls(parameters, variable);
  const isDirect = parameters.sslnegotiation === "direct";
  if (isDirect && (ssl === false || OPTIONAL.has(mode))) {
    refuse(variable, `has sslnegotiation=direct with sslmode=${mode}`, "set sslmode=require");
  }
  return {
    ...place,
    application_name: parameters.application_name || "parley",
    ...(parameters.options && { options: parameters.options }),
    ssl,
    ...(isDirect && { sslnegotiation: "direct" }),
    ...(/^(prefer|require)$/.test(parameters.channel_binding ?? "") && {
      enableChannelBinding: true,
    }),
    variable,
    mayLackTls: OPTIONAL.has(mode),
    Client: ServerClient,
  };
};

/** @type {(variable: string, problem: string, remedy: string) => never} */
const refuse = (variable, problem, remedy) => {
  throw new Error(`${variable} ${problem}: ${remedy}.`);
};

/**
 * @param {Readonly<Record<string, string>>} parameters
 * @param {string} variable
 */
const createTls = (parameters, variable) => {
  const root = parameters.sslrootcert || undefined;
  const mode = findMode(parameters) ?? refuseMode(parameters, variable);
  if (mode === "disable") return WITHOUT_TLS;
  if (root === "system" && mode !== "verify-full") {
    refuse(variable, `has sslrootcert=system with sslmode=${mode}`, "set sslmode=verify-full");
  }
  if (root === undefined && mode === "verify-ca") {
    refuse(
      variable,
      "has sslmode=verify-ca without sslrootcert",
      "set sslrootcert to the file of the authority, or sslmode=verify-full for a public one",
    );
  }
  const readPem = (key, file) => {
    try {
      return readFileSync(file);
    } catch (error) {
      return refuse(variable, `has ${key}=${file}, which cannot be read`, String(error.code));
    }
  };
  const verifies = mode !== "no-verify" && (root !== undefined || mode === "verify-full");
  return {
    mode,
    ssl: {
      rejectUnauthorized: verifies,
      // Created once, as reading the authorities of the system for each connection takes milliseconds.
      secureContext: createContext({ parameters, readPem, verifies, variable }),
      ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
    },
  };
};

const findMode = ({ sslmode, ssl, sslrootcert }) => {
  const fallback = sslrootcert === "system" ? "verify-full" : "prefer";
  const mode = sslmode || MODE_BY_SSL[ssl] || ssl || fallback;
  return MODES.find((known) => known === mode);
};

const refuseMode = ({ sslmode, ssl }, variable) =>
  refuse(variable, `has the sslmode "${sslmode || ssl}"`, `set it to one of ${MODES.join(", ")}`);

const createContext = ({ parameters, readPem, verifies, variable }) => {
  const { sslrootcert: root, sslcert: cert, sslkey: key, sslpassword: passphrase } = parameters;
  const readAuthority = (file) => {
    const pem = readPem("sslrootcert", file);
    // What is none is ignored, and nothing could be verified.
    new X509Certificate(pem);
    return pem;
  };
  if (Boolean(cert) !== Boolean(key)) {
    refuse(variable, "has only one of sslcert and sslkey", "set both");
  }
  try {
    return tls.createSecureContext({
      ...(verifies && {
        ca: root && root !== "system" ? readAuthority(root) : listAuthorities(),
      }),
      ...(cert && key && { cert: readPem("sslcert", cert), key: readPem("sslkey", key) }),
      ...(passphrase && { passphrase }),
    });
  } catch (error) {
    if (error.message.startsWith(variable)) throw error;
    return refuse(
      variable,
      `has certificates or a key that cannot be used (${error.message})`,
      "set sslrootcert, sslcert and sslkey to files in the format PEM",
    );
  }
};

/** Those of Node.js and of the system; versions before 22.19 know only the first. */
const listAuthorities = () =>
  typeof tls.getCACertificates === "function"
    ? [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])]
    : [...tls.rootCertificates];

/** Goes on without TLS when the server has none. */
class OptionalTlsConnection extends pg.Connection {
  connect(port, host) {
    super.connect(port, host);
    const [handleAnswer] = this.stream.listeners("data");
    this.stream.removeListener("data", handleAnswer);
    this.stream.once("data", (answer) => {
      if (answer.toString() !== "N") return handleAnswer(answer);
      this.attachListeners(this.stream);
      // The driver sends its first message then.
      this.emit("sslconnect");
    });
  }
}

/** A connection to the server of a `ServerConfig`. A failure to connect says what to do. */
export class ServerClient extends pg.Client {
  #variable;

  /** @param {ServerConfig} [config] which the type of the pool does not know */
  constructor(config) {
    super(
      // Not copied, as the pool hides the password from copies.
      config?.mayLackTls
        ? Object.create(config, { connection: { value: new OptionalTlsConnection(config) } })
        : config,
    );
    this.#variable = config?.variable;
  }

  /**
   * @param {any} [callback] which the pool passes
   * @returns {any}
   */
  connect(callback) {
    const explain = (error) => explainFailure(error, this.#variable, this);
    if (callback) return super.connect((error) => callback(error && explain(error)));
    return super.connect().catch((error) => {
      throw explain(error);
    });
  }
}

/** Failures that the address may be the cause of, by what the server or Node.js says, each with what to do. */
const REMEDIES = [
  [/does not support SSL connections/, () => "set sslmode=disable or sslmode=prefer"],
  [/pg_hba\.conf .*, no encryption|^SSL required/, () => "set sslmode=require"],
  [/altnames/, () => "set the host to one of these names, or sslmode=verify-ca with sslrootcert"],
  [
    /certificate|\bissuer\b|unable to verify/i,
    () => "set sslrootcert to the file of its authority, or sslmode=require to verify nothing",
  ],
  [
    /permission denied for database/,
    ({ database = "", user = "" }) =>
      `run \`GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(user)}\` as its owner`,
  ],
];

/** SQLSTATE of PostgreSQL for a connection that could not be made. */
const CANNOT_CONNECT = "08001";

const explainFailure = (error, variable, client) => {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1](client);
  if (remedy === undefined) return error;
  return Object.assign(
    new Error(`The server of ${variable} cannot be used (${error.message}): ${remedy}.`, {
      cause: error,
    }),
    { code: error.severity === undefined ? CANNOT_CONNECT : error.code, severity: error.severity },
  );
};
