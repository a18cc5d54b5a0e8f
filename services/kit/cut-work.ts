import { AsyncLocalStorage } from 'node:async_hooks'
import { TestbedError } from '#core/errors/testbed-error.ts'

/** The work that a request set off; `isCut` once nobody waits for it and it must change nothing. */
export interface Work {
  isCut: boolean
}

const storage = new AsyncLocalStorage<Work>()

/** Runs `begin` so that it, and all that it sets off, can be cut by `work.isCut`. */
export function runCuttable<T>(work: Work, begin: () => T): T {
  return storage.run(work, begin)
}

/**
 * Asked at the seams by which a service reaches anything outside of itself.
 * @throws TestbedError `cut_off` (503) in work that belongs to a state before a restored snapshot
 */
export function refuseCutWork(): void {
  if (!storage.getStore()?.isCut) return
  throw new TestbedError({
    code: 'cut_off',
    status: 503,
    message: 'A snapshot was restored while this request was under way.',
  })
}
