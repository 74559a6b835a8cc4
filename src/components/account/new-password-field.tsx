import { Check, Circle } from "lucide-react";
import type { ComponentProps } from "react";
import { MIN_PASSWORD_LENGTH } from "@/contract/limits";
import { PasswordField } from "./password-field";

type NewPasswordFieldProps = Omit<
  ComponentProps<typeof PasswordField>,
  "value" | "hint" | "autoComplete"
> & { value: string };

/** An input for a password that is chosen now, with the rule for it. */
export const NewPasswordField = (props: NewPasswordFieldProps) => (
  <PasswordField
    {...props}
    hint={<PasswordRule isMet={props.value.length >= MIN_PASSWORD_LENGTH} />}
    autoComplete="new-password"
  />
);

const PasswordRule = ({ isMet }: { isMet: boolean }) => (
  <span className="inline-flex items-center gap-1.5">
    {isMet ? (
      <Check aria-hidden size={13} className="text-success" />
    ) : (
      <Circle aria-hidden size={13} />
    )}
    At least {MIN_PASSWORD_LENGTH} characters{isMet && <span className="sr-only">: met</span>}
  </span>
);
