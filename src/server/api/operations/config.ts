import * as z from "zod";
import { AdvisorConfig } from "@/contract/advisor";
import { CallerToolsConfig } from "@/contract/caller-tools";
import { defineOperation } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";
import { advisorSetting } from "@/server/db/settings/setting-reads";
import { callerToolsVerbs } from "@/server/settings/caller-tools";
import { manageSetting, requireAdvisorModel } from "@/server/settings/manage-setting";

type SettingInput<Name extends string, Schema extends z.ZodType> = {
  /** As in `config.getAdvisor`. */
  name: Name;
  path: `/config/${string}`;
  /** As in a sentence: "the advisor's settings". */
  noun: string;
  schema: Schema;
  verbs: {
    get: (ctx: OperationContext) => Promise<z.output<Schema>>;
    set: (ctx: OperationContext, value: z.output<Schema>) => Promise<z.output<Schema>>;
  };
};

/** Defines the operations that read a setting and replace it. */
const defineSettingOperations = <const Name extends string, Schema extends z.ZodType>(
  setting: SettingInput<Name, Schema>,
) => {
  const { name, path, noun, schema, verbs } = setting;
  const shared = { path, scope: "admin", output: schema, status: 200 } as const;
  return {
    get: defineOperation({
      ...shared,
      name: `config.get${name}`,
      method: "GET",
      summary: `Read ${noun}; administrators only`,
      input: z.strictObject({}),
      run: verbs.get,
    }),
    set: defineOperation({
      ...shared,
      name: `config.set${name}`,
      method: "PUT",
      summary: `Replace ${noun}; administrators only`,
      input: schema,
      run: verbs.set,
    }),
  };
};

const advisor = defineSettingOperations({
  name: "Advisor",
  path: "/config/advisor",
  noun: "the advisor's settings",
  schema: AdvisorConfig,
  verbs: manageSetting(advisorSetting, requireAdvisorModel),
});

const callerTools = defineSettingOperations({
  name: "CallerTools",
  path: "/config/caller-tools",
  noun: "whether callers may declare tools",
  schema: CallerToolsConfig,
  verbs: callerToolsVerbs,
});

/** Those of all settings that are one value. */
export const settingOperations = [
  advisor.get,
  advisor.set,
  callerTools.get,
  callerTools.set,
] as const;
