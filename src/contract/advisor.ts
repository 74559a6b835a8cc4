import * as z from "zod";
import { MAX_STEPS_PER_TURN } from "./limits";

/** Longest question, in code points, so that an emoji counts as one. */
export const MAX_QUESTION_POINTS = 2_000;
/** A turn cannot use the advisor more often than it has steps. */
export const MAX_ADVISOR_USES = MAX_STEPS_PER_TURN;
/** The longest output, in tokens, that the largest models offer. */
export const MAX_ADVISOR_OUTPUT_TOKENS = 128_000;

/** Arguments of the advisor tool. Invalid ones become a tool error that the model reads. */
export const AdvisorInput = z.object({
  question: z
    .string()
    .trim()
    .min(1, "must not be blank")
    .refine((text) => Array.from(text).length <= MAX_QUESTION_POINTS, {
      message: `must have at most ${MAX_QUESTION_POINTS} characters; summarise instead of pasting`,
    })
    .describe(
      `One concrete question, at most ${MAX_QUESTION_POINTS} characters. Summarise long material.`,
    ),
});
export type AdvisorInput = z.infer<typeof AdvisorInput>;

const AdvisorUsage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** Omitted while the model has no prices. */
  cost_micros: z.int().optional(),
});
export type AdvisorUsage = z.infer<typeof AdvisorUsage>;

/** Uses that the turn has after this call; null if only the steps of the turn limit them. */
const RemainingUses = z.int().nonnegative().nullable();

/** The outcome of an advisor call. A failed model call is a normal outcome, not a tool error. */
export const AdvisorResult = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("advice"),
      advice: z.string(),
      /** "provider/model". */
      advisor_model: z.string(),
      remaining_uses: RemainingUses,
      usage: AdvisorUsage.optional(),
    }),
    z.object({
      type: z.literal("limit_reached"),
      /** Instructs the agent how to continue. */
      advice: z.string().optional(),
      remaining_uses: RemainingUses,
    }),
    z.object({
      type: z.literal("error"),
      error: z.string(),
      advisor_model: z.string().optional(),
      remaining_uses: RemainingUses,
      usage: AdvisorUsage.optional(),
    }),
  ])
  .meta({ id: "AdvisorResult" });
export type AdvisorResult = z.infer<typeof AdvisorResult>;

/** The phase of a running advisor call; part of the live output of the call. */
export const AdvisorPhase = z.enum(["preparing", "thinking", "answering"]);
export type AdvisorPhase = z.infer<typeof AdvisorPhase>;

/** The settings of the advisor, which an administrator can change. */
export const AdvisorConfig = z
  .strictObject({
    enabled: z.boolean(),
    /** Uses per turn. 0: limited by the steps of the turn only. Negative: no advisor. */
    max_uses_per_run: z.int().max(MAX_ADVISOR_USES),
    /** Tokens per advice. 0: the default of the server. */
    max_output_tokens: z.int().min(0).max(MAX_ADVISOR_OUTPUT_TOKENS),
    /** Null: the model of the chat. */
    model_id: z.uuid().nullable(),
  })
  .meta({ id: "AdvisorConfig" });
export type AdvisorConfig = z.infer<typeof AdvisorConfig>;

/** Used until an administrator saves settings. */
export const DEFAULT_ADVISOR_CONFIG: AdvisorConfig = {
  enabled: false,
  max_uses_per_run: 3,
  max_output_tokens: 0,
  model_id: null,
};
