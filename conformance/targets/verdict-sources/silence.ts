import { pause } from './pause.ts'
import { accepted, refused, undecided, type VerdictSource } from './verdict-source.ts'

export interface SilenceOptions {
  readonly seconds: number
  /** What drives the system: the seconds count from its end. */
  readonly after?: Promise<unknown>
  /** Resolves with what was seen, in a sentence, as soon as something is: that is no silence. */
  readonly activity?: Promise<string>
}

/**
 * Nothing to be seen for so many seconds, which counts as a refusal where no other place decides.
 * It waits no longer once something was seen.
 */
export function silence({ seconds, after, activity }: SilenceOptions): VerdictSource {
  const name = `silence for ${seconds} s`
  return {
    name,
    isWeak: true,
    async observe(signal) {
      const heard = new AbortController()
      const over = AbortSignal.any([signal, heard.signal])
      const quiet = async () => {
        await Promise.race([after, untilAborted(over)])
        await pause(seconds * 1000, over)
      }
      let seen: string | undefined
      const noticed = activity?.then((what) => {
        seen = what
        heard.abort()
      })
      await Promise.race([quiet(), ...(noticed ? [noticed] : [])])
      heard.abort()
      if (seen !== undefined) return accepted('activity', seen)
      return signal.aborted
        ? undecided(name, 'It was not waited for to the end.')
        : refused(name, `Nothing was to be seen for ${seconds} seconds.`)
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
