import { expect, it } from "vitest";
import { startStubServer } from "@/test/stub-server";
import { listServerModels } from "./list-server-models";

it("a list that does not arrive is given up", async () => {
  const stub = await startStubServer((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"data":[');
  });
  try {
    const found = await listServerModels("openai-compatible", { baseUrl: stub.url }, 50);
    expect(found).toEqual({
      ok: false,
      message: "The OpenAI-compatible server has not sent its list in time.",
      data: [],
    });
  } finally {
    await stub.close();
  }
});
