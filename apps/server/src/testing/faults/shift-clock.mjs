// Preloaded into a process whose clock a test moves: SIGWINCH moves it an hour ahead, and back when it comes again.
const SHIFT_MS = 3_600_000;
const SystemDate = Date;
let offset = 0;
process.on('SIGWINCH', () => {
  offset = offset === 0 ? SHIFT_MS : 0;
});

globalThis.Date = class extends SystemDate {
  constructor(...values) {
    super(...(values.length === 0 ? [SystemDate.now() + offset] : values));
  }
  static now() {
    return SystemDate.now() + offset;
  }
};
