/** Ends with the first signal; further ones do no harm, as Ctrl-C may arrive twice. */
export function createInterrupt(): AbortSignal {
  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupt.abort(new Error('interrupted')))
  }
  return interrupt.signal
}
