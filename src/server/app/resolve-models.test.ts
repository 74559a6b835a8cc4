import { expect, it } from "vitest";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { maskSecrets } from "@/server/mask-secrets";
import { testDatabase } from "@/test/database";
import { createModel } from "@/test/factories";
import { NO_PROVIDERS } from "@/test/wire-model";
import { testProcess } from "@/test/test-process";
import { resolveModel } from "./resolve-models";

it("masks the stored keys of all models, used or not", async () => {
  const db = await testDatabase();
  const models = createModelRegistry(NO_PROVIDERS, createKeyCipher("a secret of the server"));
  const [used, other] = [await createModel(db), await createModel(db, { provider: "openai" })];
  const encryptedKey = models.encryptKey("kX9wQ2vT7zB4mR8pL1nG5hJ6", other);
  await db.prisma.model.update({ where: { id: other }, data: { encryptedKey } });
  // An earlier test may have cached the list for some seconds.
  const maskAfterStep = async () => {
    await resolveModel({ db, cached: testProcess(db).cached, models }, { modelId: used });
    return maskSecrets("It is kX9wQ2vT7zB4mR8pL1nG5hJ6.");
  };
  await expect.poll(maskAfterStep).toBe("It is [redacted].");
});
