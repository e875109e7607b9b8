import { useT } from '#shared/i18n/i18n.ts';
import { Dialog } from '#shared/ui/dialog.tsx';
import { shortcuts } from '../effects/shortcuts.ts';

/** The dialog that lists the keyboard shortcuts (PLAY-07), opened by `?`. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('tools.shortcuts')} onClose={onClose}>
      <dl className="grid gap-1">
        {shortcuts.map(({ keys, action }) => (
          <div
            key={action}
            className="flex min-h-11 items-center justify-between gap-6 border-b border-line last:border-0"
          >
            <dt className="text-sm">{t(`tools.${action}`)}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid min-w-8 place-items-center rounded-sm border border-line bg-overlay px-2 py-1 font-sans text-xs font-semibold"
                >
                  {key === 'space' ? t('tools.keySpace') : key.toUpperCase()}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
