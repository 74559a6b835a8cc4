/** @returns the rooms of a folder by their names, which spaces separate. */
const below = (folder, names) => names.split(" ").map((name) => `${folder}/${name}`);
const server = (names) => below("server", names);
const components = (names) => below("components", names);
const shared = ["contract", "lib"];

/** Which room may import which. One row per room; what is not listed is forbidden. */
const may = {
  lib: [],
  contract: ["lib"],
  recipes: [],
  client: [...shared, ...server("api")],
  "client/screens": [...shared, "client", "components", ...server("auth")],
  "components/ui": [...shared],
  "components/account": [...shared, ...components("ui schema-form")],
  "components/appearance": [...shared, ...components("ui")],
  "components/composer": [...shared, ...components("ui")],
  "components/schema-form": [...shared, ...components("ui")],
  "components/questions": [...shared, ...components("ui schema-form")],
  "components/approvals": [...shared, ...components("ui")],
  "components/answers": [...shared, ...components("ui schema-form questions approvals")],
  "components/tool-cards": [...shared, ...components("ui schema-form questions approvals answers")],
  "components/chat": [
    ...shared,
    ...components("ui schema-form questions approvals answers composer tool-cards"),
  ],
  "components/docs": ["lib", ...components("ui")],
  "components/playground": [...shared, ...components("ui schema-form answers")],
  "components/sidebar": [...shared, ...components("ui")],
  "components/keyboard": [...shared, ...components("ui")],
  "components/settings": [...shared, ...components("ui schema-form")],
  "components/models": [...shared, ...components("ui schema-form settings")],
  "components/mcp": [...shared, ...components("ui schema-form settings")],
  "server/env": [...server("env-settings share-in-process")],
  "server/env-settings": ["contract"],
  "server/log": ["lib", ...server("env mask-secrets")],
  "server/mask-secrets": ["lib", ...server("env")],
  "server/client-address": [],
  "server/request-record": ["server/share-in-process"],
  "server/exit-with-reason": [],
  "server/exception-guard": [...server("log")],
  "server/start-thread": [],
  "server/share-in-process": [],
  "server/net": ["lib", ...server("env")],
  "server/documents": ["lib", ...server("share-in-process start-thread")],
  "server/context": ["contract", ...server("db model tools mcp recipes push")],
  "server/credential-rights": [...shared, ...server("context db")],
  "server/machine/table": ["contract"],
  "server/db": [...shared, ...server("env env-settings log machine/table share-in-process")],
  "server/auth": [
    ...shared,
    ...server("env log client-address db context credential-rights request-record"),
  ],
  "server/model": [...shared, ...server("env log mask-secrets net")],
  "server/stream": [...shared, ...server("db log share-in-process")],
  "server/metrics": ["contract", "server/share-in-process"],
  "server/advisor": [...shared, ...server("model log")],
  "server/tools": [...shared, ...server("advisor documents log mask-secrets net start-thread")],
  "server/exec": [...shared, ...server("env log mask-secrets start-thread tools")],
  "server/mcp": [...shared, ...server("exec log mask-secrets net tools")],
  "server/recipes": [...shared, "recipes", ...server("exec log net tools")],
  "server/push": [...shared, ...server("context db log model net")],
  "server/machine": [...shared, ...server("context db model tools metrics log")],
  "server/tasks": [...shared, ...server("context db log machine tools stream")],
  "server/agents": [
    ...shared,
    ...server("context db log machine model stream tasks tools settings"),
  ],
  "server/chat": [
    ...shared,
    ...server(
      "agents context credential-rights db log machine metrics model stream tasks tools settings",
    ),
  ],
  "server/backup": [...shared, ...server("db env mcp model")],
  "server/exports": [...shared, ...server("db")],
  "server/imports": [...shared, ...server("chat context db machine tools")],
  "server/settings": [
    ...shared,
    ...server("context credential-rights db log mcp model recipes tools mask-secrets"),
  ],
  "server/turn": [
    ...shared,
    ...server(
      "advisor agents chat context db log machine mask-secrets metrics model stream tasks tools settings",
    ),
  ],
  "server/worker": [
    ...shared,
    ...server(
      "agents chat context db env exec imports log machine metrics model stream tasks tools turn",
    ),
  ],
  "server/app": [
    ...shared,
    ...server(
      "advisor agents auth chat context db documents env exception-guard exec exit-with-reason log machine mask-secrets mcp metrics model net push recipes settings stream tasks tools turn worker",
    ),
  ],
  "server/api": [
    ...shared,
    ...server(
      "app auth chat client-address context credential-rights db env exec exports imports log metrics model push settings stream machine share-in-process",
    ),
  ],
  "server/http": [
    ...shared,
    ...server(
      "api client-address db env exception-guard exit-with-reason log metrics request-record stream",
    ),
  ],
  app: [...shared, "client", "components", ...server("api auth http")],
  proxy: ["lib"],
  instrumentation: [...server("api http")],
  "instrumentation-client": ["client"],
};

const at = (room) => `^src/${room}(/|\\.tsx?$)`;
const tests = "(\\.test\\.tsx?$|^src/test/)";
const forbid = (rule) => ({ severity: "error", ...rule });
const source = (...but) => ({ path: "^src/", pathNot: [tests, ...but.map(at)] });

/** The rooms in a room, each of which has a row of its own. */
const innerRooms = (room) => Object.keys(may).filter((name) => name.startsWith(`${room}/`));

const rooms = Object.entries(may).map(([room, others]) =>
  forbid({
    name: `room:${room}`,
    comment: `${room} may import ${others.join(", ") || "nothing"}.`,
    from: { path: at(room), pathNot: [tests, ...innerRooms(room).map(at)] },
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
      name: "texts-stay-on-the-server",
      comment: "The texts of the contract's fields are for the document of the API, not for pages.",
      from: { path: "^src/", pathNot: [tests, at("server/api"), at("contract/texts")] },
      to: { path: at("contract/texts") },
    }),
    forbid({
      name: "writes-go-through-a-verb",
      comment: "The API reads through db/*-reads; a write is a verb.",
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
      from: source(
        "server/model",
        "server/tools",
        "server/mcp",
        "server/recipes",
        "server/turn",
        "server/advisor",
      ),
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
