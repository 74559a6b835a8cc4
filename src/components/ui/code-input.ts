/** The props of a field for a name or a text that a program reads: nothing is corrected in it. */
export const CODE_INPUT = {
  autoComplete: "off",
  autoCapitalize: "none",
  spellCheck: false,
} as const;
