import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/contract/limits";

export const validateName = (name: string): string | undefined =>
  name.trim() === "" ? "Enter your name." : undefined;

export const validateEmail = (email: string): string | undefined => {
  if (email.trim() === "") return "Enter your email address.";
  return /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? undefined
    : "An email address looks like ada@example.com.";
};

export const validateNewPassword = (password: string): string | undefined => {
  if (password === "") return "Choose a password.";
  if (password.length < MIN_PASSWORD_LENGTH) {
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  return password.length > MAX_PASSWORD_LENGTH
    ? `Use at most ${MAX_PASSWORD_LENGTH} characters.`
    : undefined;
};
