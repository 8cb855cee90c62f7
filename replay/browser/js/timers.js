// Makes the timers of a page late: each by a random time up to most milliseconds, the same ones for the same seed.
(most, seed) => {
  if (globalThis.setTimeout.retraceLate) return;
  const late = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296 * most;
  };
  for (const name of ['setTimeout', 'setInterval']) {
    const own = globalThis[name];
    globalThis[name] = {[name](f, ms, ...rest) { return own.call(this ?? globalThis, f, (Number(ms) || 0) + late(), ...rest); }}[name];
  }
  Object.defineProperty(globalThis.setTimeout, 'retraceLate', {value: true});
}
