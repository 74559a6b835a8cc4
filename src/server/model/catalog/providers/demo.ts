import { createEntry, type Provider } from "@/server/model/catalog/provider";
import { createDemoModel } from "@/server/model/demo/demo-model";

const FREE = { input: 0, output: 0 };

export const demo: Provider = {
  createClient: () => createDemoModel(),
  models: {
    demo: createEntry("Demo", 200_000, FREE),
    // The same model without tool calls.
    xml: { ...createEntry("Demo with XML", 200_000, FREE), toolProtocol: "xml" },
  },
};
