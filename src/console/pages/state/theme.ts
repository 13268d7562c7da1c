import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
const KEY = "knowledge-server.theme";

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;

export function nextTheme(theme: Theme): Theme {
  return NEXT[theme];
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "auto";
  });
  useEffect(() => {
    localStorage.setItem(KEY, theme);
    document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
  }, [theme]);
  return [theme, setTheme];
}
