import { Timer } from 'lucide-react';
import { useFormat, useT } from '#shared/i18n/i18n.ts';
import { Disclosure } from '#shared/ui/disclosure.tsx';
import { dispatch } from '../engine/events.ts';
import { usePlayback } from '../engine/store.ts';
import type { Sleep } from '../model/state.ts';

const minutes = [5, 10, 15, 30, 45, 60];

/** How long sound goes on (PLAY-07): some minutes of it, or to the end of the track. */
export function SleepControl() {
  const t = useT();
  const format = useFormat();
  // In whole minutes, so that nothing is drawn anew each second.
  const left = usePlayback(({ sleep }) => (typeof sleep === 'number' ? Math.ceil(sleep / 60) : null));
  const isTrack = usePlayback(({ sleep }) => sleep === 'track');
  const label =
    left !== null
      ? t('tools.sleepOn', { left: format.duration(left * 60) })
      : t(isTrack ? 'tools.sleepTrackOn' : 'tools.sleep');
  const choices: [Sleep, string, boolean][] = [
    [null, t('tools.sleepOff'), left === null && !isTrack],
    ...minutes.map((n): [Sleep, string, boolean] => [n * 60, format.duration(n * 60), n === left]),
    ['track', t('tools.sleepTrack'), isTrack],
  ];
  const icon =
    left === null ? (
      <Timer />
    ) : (
      <span aria-hidden className="text-sm font-semibold tabular-nums">
        {left}′
      </span>
    );
  return (
    <Disclosure label={label} icon={icon} isOn={left !== null || isTrack} className="p-1.5 w-52">
      {(close) => (
        <div role="radiogroup" aria-label={t('tools.sleep')}>
          {choices.map(([sleep, text, isChosen]) => (
            <label key={String(sleep)} className="popup-item cursor-pointer hover:bg-hover">
              <input
                type="radio"
                name="sleep"
                checked={isChosen}
                onChange={() => dispatch({ type: 'setSleep', sleep })}
                // A pointer is done with the first press; the arrow keys choose on.
                onClick={({ detail }) => detail > 0 && close()}
                style={{ accentColor: 'var(--accent)' }}
                className="size-4"
              />
              {text}
            </label>
          ))}
        </div>
      )}
    </Disclosure>
  );
}
