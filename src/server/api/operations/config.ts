import * as z from "zod";
import { AdvisorConfig } from "@/contract/advisor";
import { defineOperation } from "@/server/api/operation";
import { requireOwner } from "@/server/settings/require-owner";
import { setAdvisorConfig } from "@/server/settings/set-advisor-config";
import { readAdvisorConfig } from "@/server/db/settings/setting-reads";

export const getAdvisorConfigOperation = defineOperation({
  name: "config.getAdvisor",
  method: "GET",
  path: "/config/advisor",
  summary: "Read the advisor's settings; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: AdvisorConfig,
  status: 200,
  run: (ctx) => {
    requireOwner(ctx.actor);
    return readAdvisorConfig(ctx.db);
  },
});

export const setAdvisorConfigOperation = defineOperation({
  name: "config.setAdvisor",
  method: "PUT",
  path: "/config/advisor",
  summary: "Replace the advisor's settings; administrators only",
  scope: "admin",
  input: AdvisorConfig,
  output: AdvisorConfig,
  status: 200,
  run: setAdvisorConfig,
});
