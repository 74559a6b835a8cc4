/** Which room may import which. One row per room; what is not listed is forbidden. */
const may = {
  lib: [],
  contract: ["lib"],
  client: ["contract", "lib", "server/api"],
  "components/ui": ["lib"],
  "components/forms": ["contract", "lib", "components/ui"],
  "components/tool-cards": ["contract", "lib", "components/ui", "components/forms"],
  "components/chat": [
    "contract",
    "lib",
    "components/ui",
    "components/forms",
    "components/tool-cards",
  ],
  "components/sidebar": ["contract", "lib", "components/ui"],
  "components/settings": ["contract", "lib", "components/ui", "components/forms"],
  "server/env": ["contract", "lib"],
  "server/log": ["lib", "server/env"],
  "server/client-address": [],
  "server/context": ["contract", "server/db", "server/tools"],
  "server/state-machine": ["contract"],
  "server/db": ["contract", "lib", "server/env", "server/log", "server/state-machine"],
  "server/auth": [
    "contract",
    "lib",
    "server/env",
    "server/log",
    "server/client-address",
    "server/db",
    "server/context",
  ],
  "server/model": ["contract", "lib", "server/env", "server/log"],
  "server/stream": ["contract", "lib", "server/db", "server/log"],
  "server/metrics": ["contract"],
  "server/advisor": ["contract", "lib", "server/model", "server/log"],
  "server/tools": ["contract", "lib", "server/advisor", "server/log"],
  "server/chat": [
    "contract",
    "lib",
    "server/context",
    "server/state-machine",
    "server/db",
    "server/model",
    "server/stream",
    "server/metrics",
    "server/advisor",
    "server/tools",
    "server/log",
  ],
  "server/worker": [
    "contract",
    "lib",
    "server/env",
    "server/context",
    "server/auth",
    "server/db",
    "server/model",
    "server/stream",
    "server/metrics",
    "server/advisor",
    "server/tools",
    "server/chat",
    "server/log",
  ],
  "server/api": [
    "contract",
    "lib",
    "server/env",
    "server/client-address",
    "server/context",
    "server/auth",
    "server/db",
    "server/model",
    "server/stream",
    "server/metrics",
    "server/chat",
    "server/log",
  ],
  app: ["contract", "lib", "client", "components", "server/api", "server/auth"],
  proxy: ["lib"],
  instrumentation: ["server/env", "server/worker", "server/log"],
};

const at = (room) => `^src/${room}(/|\\.tsx?$)`;
const tests = "(\\.test\\.tsx?$|^src/test/)";
const forbid = (rule) => ({ severity: "error", ...rule });
const source = (...but) => ({ path: "^src/", pathNot: [tests, ...but.map(at)] });

const rooms = Object.entries(may).map(([room, others]) =>
  forbid({
    name: `room:${room}`,
    comment: `${room} may import ${others.join(", ") || "nothing"}.`,
    from: { path: at(room), pathNot: tests },
    to: { path: "^src/", pathNot: [room, ...others].map(at) },
  }),
);

module.exports = {
  forbidden: [
    ...rooms,
    forbid({
      name: "unlisted-room",
      comment: "Every file lies in a room that has a row in the table.",
      from: source(...Object.keys(may)),
      to: {},
    }),
    forbid({
      name: "browser-knows-types-only",
      comment:
        "The browser may know the router's type, which is erased; nothing else of the server.",
      from: { path: at("client"), pathNot: tests },
      to: { path: "^src/server/", dependencyTypesNot: ["type-only"] },
    }),
    forbid({
      name: "writes-go-through-a-verb",
      comment: "The API reads through db/*-reads; a write is a verb in server/chat.",
      from: { path: at("server/api"), pathNot: tests },
      to: { path: at("server/db"), pathNot: "(-reads|/database|/rows)\\.ts$" },
    }),
    forbid({
      name: "database-stays-in-db",
      comment: "Prisma and SQL drivers are for server/db; server/auth gets its client from there.",
      from: source("server/db"),
      to: { path: "(^|/)node_modules/(@prisma|pg|@electric-sql)/|^src/server/db/generated/" },
    }),
    forbid({
      name: "providers-stay-in-model",
      comment: "The AI SDK and its providers are for server/model.",
      from: source("server/model"),
      to: { path: "(^|/)node_modules/(ai|@ai-sdk/(?!provider/)[^/]+)/" },
    }),
    forbid({
      name: "provider-types-only",
      comment: "Outside server/model, only the types of the provider interface are used.",
      from: source("server/model"),
      to: { path: "(^|/)node_modules/@ai-sdk/provider/", dependencyTypesNot: ["type-only"] },
    }),
    forbid({
      name: "provider-types-stay-on-the-server",
      comment: "The browser and the contract know no model provider.",
      from: source("server/model", "server/tools", "server/chat", "server/advisor"),
      to: { path: "(^|/)node_modules/@ai-sdk/provider/" },
    }),
    forbid({
      name: "test-help-is-for-tests",
      comment: "What lies in src/test is for tests.",
      from: source(),
      to: { path: "^src/test/" },
    }),
    forbid({
      name: "no-cycles",
      comment: "Arrows point down.",
      from: {},
      to: { circular: true },
    }),
    forbid({
      name: "resolvable",
      comment: "An import that leads nowhere checks nothing.",
      from: source(),
      to: { couldNotResolve: true },
    }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Made by Prisma, with cycles of its own.
    exclude: { path: "^src/server/db/generated/internal" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
