import { expect, it, vi } from 'vitest';
import { saveFile } from './document.ts';

it('releases a download once its browser has had time to start it', () => {
  vi.useFakeTimers();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export');
  const revokeObjectURL = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  saveFile('export.json', '{}', 'application/json');
  expect(click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(39_999);
  expect(revokeObjectURL).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(revokeObjectURL).toHaveBeenCalledExactlyOnceWith('blob:export');
});
