import type { ComponentProps } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends Omit<ComponentProps<"button">, "type" | "icon"> {
  readonly icon?: IconName;
  readonly text?: string;
}

/** A button that submits no form. */
export function Button({ icon, text, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest}>
      {icon && <Icon name={icon} />}
      {text}
      {children}
    </button>
  );
}
