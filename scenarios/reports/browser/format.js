/** Milliseconds for people: `0.4 ms`, `8 ms`, `1.24 s`. */
export function formatMilliseconds(milliseconds) {
  if (milliseconds < 1) return `${milliseconds} ms`
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`
}

/** An HTTP status; 0 stands for no answer. */
export const statusOf = (status) => (status === 0 ? 'none' : String(status))

export const toneOf = (status) =>
  status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'moved' : 'good'
