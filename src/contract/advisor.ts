import { z } from "zod";
import { MAX_STEPS_LIMIT } from "./limits";

/** Longest question, in code points, so that an emoji counts as one. */
export const MAX_QUESTION_POINTS = 2_000;
/** More uses than a turn can have steps mean nothing. */
export const MAX_ADVISOR_USES = MAX_STEPS_LIMIT;
/** What the largest models write at once. */
export const MAX_ADVISOR_OUTPUT_TOKENS = 128_000;

/** What the agent asks; anything else is a tool error that the model reads. */
export const AdvisorInput = z.strictObject({
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
  /** Left out while the model has no prices. */
  cost_micros: z.int().optional(),
});
export type AdvisorUsage = z.infer<typeof AdvisorUsage>;

/** What is left of the turn's uses after this call; null is no limit but the turn's steps. */
const RemainingUses = z.int().nonnegative().nullable();

/** How asking the advisor ended; a failure of its model is a normal outcome, not a tool error. */
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
      /** What the agent is to do now. */
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

/** What the advisor is doing while its call runs; comes with the live output of the call. */
export const AdvisorPhase = z.enum(["preparing", "thinking", "answering"]);
export type AdvisorPhase = z.infer<typeof AdvisorPhase>;

/** The administrator's settings of the advisor. */
export const AdvisorConfig = z
  .strictObject({
    enabled: z.boolean(),
    /** Of one turn. 0 is no limit but the turn's steps; a negative number is no advisor. */
    max_uses_per_run: z.int().max(MAX_ADVISOR_USES),
    /** Of one advice; 0 is the server's default. */
    max_output_tokens: z.int().min(0).max(MAX_ADVISOR_OUTPUT_TOKENS),
    /** Null is the chat's own model. */
    model_id: z.uuid().nullable(),
  })
  .meta({ id: "AdvisorConfig" });
export type AdvisorConfig = z.infer<typeof AdvisorConfig>;

/** What holds until an administrator has set something. */
export const DEFAULT_ADVISOR_CONFIG: AdvisorConfig = {
  enabled: false,
  max_uses_per_run: 3,
  max_output_tokens: 0,
  model_id: null,
};
