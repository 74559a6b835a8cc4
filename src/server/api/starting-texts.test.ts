import { beforeAll, describe, expect, it } from "vitest";
import { MAX_STARTING_TEXT_LENGTH, MAX_STARTING_TEXTS } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { testDatabase } from "@/test/database";

const PATH = "/starting-texts";

let db: Database;
let api: ReturnType<typeof createTestApi>;

beforeAll(async () => {
  db = await testDatabase();
  api = createTestApi(db);
});

const texts = async (client: TestClient) => {
  const { body } = await client.call(`GET ${PATH}`);
  return (body as { data: { text: string }[] }).data.map(({ text }) => text);
};

describe("starting texts over REST", () => {
  it("are kept in their order, for their user alone", async () => {
    const [ada, bob] = [await createClient(db, api), await createClient(db, api)];
    const first = await ada.call(`POST ${PATH}`, { text: " Translate: " });
    expect(first).toMatchObject({ status: 201, body: { text: "Translate:" } });
    await ada.call(`POST ${PATH}`, { text: "Review:\nthis" });
    expect(await texts(ada)).toEqual(["Translate:", "Review:\nthis"]);
    expect(await texts(bob)).toEqual([]);
  });

  it("are removed by their user alone", async () => {
    const [ada, bob] = [await createClient(db, api), await createClient(db, api)];
    const { body } = await ada.call(`POST ${PATH}`, { text: "Translate:" });
    const path = `DELETE ${PATH}/${(body as { id: string }).id}`;
    expect((await bob.call(path)).status).toBe(404);
    expect(await texts(ada)).toEqual(["Translate:"]);
    expect((await ada.call(path)).status).toBe(204);
    expect((await ada.call(path)).status).toBe(404);
    expect(await texts(ada)).toEqual([]);
  });

  it.each([
    ["a blank text", { text: " " }],
    ["a longer text", { text: "a".repeat(MAX_STARTING_TEXT_LENGTH + 1) }],
    ["no text", {}],
  ])("refuse %s", async (_, input) => {
    const ada = await createClient(db, api);
    expect((await ada.call(`POST ${PATH}`, input)).status).toBe(400);
    expect(await texts(ada)).toEqual([]);
  });

  it("are no more than the limit, also when they come at the same time", async () => {
    const ada = await createClient(db, api);
    const answers = await Promise.all(
      Array.from({ length: MAX_STARTING_TEXTS + 2 }, (_, index) =>
        ada.call(`POST ${PATH}`, { text: `Text ${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_STARTING_TEXTS);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(await texts(ada)).toHaveLength(MAX_STARTING_TEXTS);
  });
});
