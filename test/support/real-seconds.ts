/** Unix seconds with a fraction, whatever clock was put in the place of this process's. */
export const realSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000
