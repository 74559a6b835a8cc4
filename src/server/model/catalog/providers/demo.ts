import type { Provider } from "@/server/model/catalog/provider";
import { createDemoModel } from "@/server/model/demo/demo-model";

export const demo: Provider = {
  createClient: () => createDemoModel(),
  canEnforceFormat: () => true,
};
