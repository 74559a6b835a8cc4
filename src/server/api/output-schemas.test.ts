import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { createApiFixture } from "@/test/api-client";
import cases from "@/test/fixtures/json-schema-cases.json";
import { commitAnswer, openCall } from "@/test/park-chat";

const { db, client } = await createApiFixture();

type Case = { group: string; schema: JsonValue; fits: JsonValue[]; fails: JsonValue[] };

/** A value of each kind of schema that fits, and one that does not. */
const PAIRS = Object.values(Object.groupBy(cases as Case[], ({ group }) => group)).flatMap(
  (rows = []) => {
    const row = rows.find(({ fits, fails }) => fits.length > 0 && fails.length > 0);
    const [fitting] = row?.fits ?? [];
    const [failing] = row?.fails ?? [];
    return row && fitting !== undefined && failing !== undefined
      ? [{ schema: row.schema, fitting, failing }]
      : [];
  },
);

it("results are taken and refused by each kind of schema, all in one request", async () => {
  expect(PAIRS.length).toBeGreaterThan(30);
  const chatId = await client.startChat({
    dynamic_tools: PAIRS.map(({ schema }, index) => ({ name: `t${index}`, output_schema: schema })),
  });
  const parts = PAIRS.map((_pair, index) => openCall(`c${index}`, `t${index}`));
  await commitAnswer(db, chatId, { parts, after: "park" });
  const submit = (outputs: JsonValue[]) =>
    client.call(`POST /chats/${chatId}/tool-results`, {
      results: outputs.map((output, index) => ({ tool_call_id: `c${index}`, output })),
    });
  const refused = await submit(PAIRS.map(({ failing }) => failing));
  expect(refused).toMatchObject({ status: 400, body: { code: "invalid" } });
  const { errors } = refused.body as { errors: { pointer: string }[] };
  const places = new Set(errors.map(({ pointer }) => pointer.split("/")[2]));
  expect([...places]).toEqual(PAIRS.map((_pair, index) => String(index)));
  expect((await submit(PAIRS.map(({ fitting }) => fitting))).status).toBe(204);
});
