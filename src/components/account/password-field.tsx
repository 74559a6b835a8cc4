import { type ComponentProps, useState } from "react";
import { TextField } from "@/components/ui/text-field";

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, "type" | "labelHidden">;

/** A password input with a button that shows the password. */
export const PasswordField = (props: PasswordFieldProps) => {
  const [isVisible, setVisible] = useState(false);
  return (
    <div className="relative">
      <TextField
        {...props}
        type={isVisible ? "text" : "password"}
        autoCapitalize="none"
        spellCheck={false}
      />
      <button
        type="button"
        aria-pressed={isVisible}
        onClick={() => setVisible(!isVisible)}
        className="absolute top-0 right-0 rounded-sm text-xs leading-5 font-medium text-accent underline-offset-2 hover:underline pointer-coarse:-top-2 pointer-coarse:py-2"
      >
        Show password
      </button>
    </div>
  );
};
