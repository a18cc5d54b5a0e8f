/** Milliseconds for people: `0.4 ms`, `8 ms`, `1.24 s`. */
export function formatMilliseconds(milliseconds) {
  if (milliseconds < 1) return `${milliseconds} ms`
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`
}

/** What came back of an exchange: an HTTP status, 0 for none, or a program's exit code. */
export const statusOf = ({ kind, status }) =>
  kind === 'command' ? `exit ${status}` : status === 0 ? 'none' : String(status)

export function toneOf({ kind, status }) {
  if (kind === 'command') return status === 0 ? 'good' : 'warn'
  if (status >= 500 || status === 0) return 'bad'
  return status >= 400 ? 'warn' : status >= 300 ? 'moved' : 'good'
}
