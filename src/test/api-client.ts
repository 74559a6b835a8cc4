import { v7 as newId } from "uuid";
import {
  type ApiKeyScope,
  type ApiKeyScopeSet,
  type KeyRestriction,
  SCOPES_OF_SET,
} from "@/contract/api-key";
import type { Problem } from "@/contract/problem";
import { createApi } from "@/server/api/create-api";
import { createApiKey } from "@/server/auth/api-keys";
import { createAuthServices } from "@/server/auth/auth-services";
import type { Database } from "@/server/db/connection/database";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createToolSources } from "@/server/tools/tool-source";
import { testDatabase } from "./database";
import { createUser } from "./factories";
import { testProcess } from "./test-process";
import { NO_MCP_SERVERS } from "./mcp-fixture";
import { TEST_SECRET } from "./test-secret";
import { builtinTools, NO_COMMANDS_FOR_RECIPES, NO_RECIPE_FILES } from "./tool-fixture";
import { NO_PROVIDERS } from "./wire-model";

export const ORIGIN = "http://parley.test";

/** Creates the API on a database; `faults` collects what it logs as internal errors. */
export const createTestApi = (
  db: Database,
  toolSources = createToolSources(builtinTools),
  {
    secret = TEST_SECRET,
    providers = NO_PROVIDERS,
    recipes = NO_COMMANDS_FOR_RECIPES,
    recipeFiles = NO_RECIPE_FILES,
    mcp = NO_MCP_SERVERS,
    publicDocs = true,
  } = {},
) => {
  const faults: unknown[] = [];
  const auth = createAuthServices(db, { secret, publicUrl: null }, () => undefined);
  const api = createApi({
    ...testProcess(db),
    auth,
    toolSources,
    recipes,
    recipeFiles,
    mcp,
    publicDocs,
    models: createModelRegistry(providers, createKeyCipher(secret)),
    log: {
      error: (fields) => {
        faults.push(fields);
      },
    },
  });
  return { api, auth, faults };
};

export type TestApi = ReturnType<typeof createTestApi>;

/** Strings and bytes are sent unchanged, objects as JSON. */
export type Sent = string | Uint8Array | object;

export type Answer = {
  status: number;
  headers: Headers;
  /** The parsed JSON body; undefined when it is empty. */
  body: unknown;
};

type ClientKey = {
  role?: "owner" | "member";
  scope?: ApiKeyScopeSet;
  scopes?: readonly ApiKeyScope[];
  only?: KeyRestriction | null;
};

/** Creates a user with an API key and a REST client that uses it. */
export const createClient = async (
  db: Database,
  { api }: TestApi,
  { role = "member", scope = "admin", scopes = SCOPES_OF_SET[scope], only = null }: ClientKey = {},
) => {
  const userId = await createUser(db, { role });
  const keyId = newId();
  const created = await createApiKey(db, { id: keyId, userId, name: "test", scopes, only });
  if (!created) throw new Error("no key was made");
  const authorization = `Bearer ${created.key}`;

  const request = (route: string, sent?: Sent, headers: Record<string, string> = {}): Request => {
    const [method = "", path = ""] = route.split(" ");
    const body = typeof sent === "string" || sent instanceof Uint8Array ? sent : toJson(sent);
    return new Request(`${ORIGIN}/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: body as BodyInit }),
    });
  };

  const call = async (
    route: string,
    sent?: Sent,
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    const response = await api.handleRest(request(route, sent, headers));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };

  return {
    userId,
    key: created.key,
    keyId,
    request,
    call,
    /** Sends a request that must fail with a problem document. */
    fail: async (route: string, sent?: Sent, headers?: Record<string, string>) => {
      const answer = await call(route, sent, headers);
      if (answer.headers.get("content-type") !== "application/problem+json") {
        throw new Error(`${route} gave ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return { ...answer, problem: answer.body as Problem };
    },
    /** Creates a chat. @returns its id. */
    startChat: async (fields: object = {}): Promise<string> => {
      const { status, body } = await call("POST /chats", { content: "Hello", ...fields });
      if (status !== 201) throw new Error(`no chat: ${JSON.stringify(body)}`);
      return (body as { id: string }).id;
    },
  };
};

export type TestClient = Awaited<ReturnType<typeof createClient>>;

const toJson = (value: object | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

/** Creates the API on the test database, with a client whose user has no chats yet. */
export const createApiFixture = async () => {
  const db = await testDatabase();
  const api = createTestApi(db);
  return { db, api, client: await createClient(db, api) };
};
