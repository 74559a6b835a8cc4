// Serves the REST API on the database of its first two arguments (a directory, or the URL of a server) to the
// user of the third, who is created if there is none. Prints one line of JSON when it is ready.
import { createChat } from "@/server/chat/create-chat";
import { openDatabase } from "@/server/db/connection/open-database";
import { createClient, createTestApi } from "@/test/api-client";
import { createContext, toTextContent } from "@/test/chat-fixture";
import { commitAnswer, openCall } from "@/test/park-chat";
import { serveApi } from "@/test/serve-api";

/** More than the clients answer between two crashes. */
const PARKED_CHATS = 20;

const [, , dataDir = "", databaseUrl = "", knownUserId = ""] = process.argv;
const db = openDatabase({ databaseUrl: databaseUrl || null, dataDir, poolSize: 10 });
const api = createTestApi(db);
const client = knownUserId ? undefined : await createClient(db, api);
const userId = client?.userId ?? knownUserId;

const parked: string[] = [];
for (let count = 0; count < PARKED_CHATS; count++) {
  const { id } = await createChat(createContext(db, userId), { content: toTextContent("Ask me") });
  await commitAnswer(db, id, { parts: [openCall("call", "ask")], after: "park" });
  parked.push(id);
}
const { url } = await serveApi(api);
process.stdout.write(`${JSON.stringify({ url, userId, key: client?.key, parked })}\n`);
