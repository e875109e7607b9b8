import { Moon, Sun } from 'lucide-react';
import { useT } from '#shared/i18n/i18n.ts';
import { setColorMode, usePreferences } from '#shared/preferences.ts';
import { IconButton } from '#shared/ui/icon-button.tsx';

/** The button that switches between the light and the dark theme (SHELL-07). */
export function ThemeToggle() {
  const t = useT();
  const isDark = usePreferences((preferences) => preferences.colorMode === 'dark');
  return (
    <IconButton
      label={t(isDark ? 'shell.toLight' : 'shell.toDark')}
      onClick={() => setColorMode(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun /> : <Moon />}
    </IconButton>
  );
}
