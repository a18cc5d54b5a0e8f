/** Rejects as soon as the signal ends, whatever the work is waiting for. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    // What was cut off may still fail later; nobody waits for it any more.
    work.catch(() => {})
    aborted.catch(() => {})
  }
}
