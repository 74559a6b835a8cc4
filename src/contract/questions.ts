import * as z from "zod";

/** A question to the person, with options to choose from; the card adds "Other". */
export const Question = z.object({
  /** One or two words that name the subject. */
  header: z.string().optional(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  multi_select: z.boolean(),
});
export type Question = z.infer<typeof Question>;

/** What `ask_user_question` has asked; the answer is the next user message. */
export const AskedQuestions = z.object({ questions: z.array(Question).min(1) });
export type AskedQuestions = z.infer<typeof AskedQuestions>;
