import { createRequire } from 'node:module'
import type * as Jose from 'jose'

/** A value that is created when it is first read. */
export interface Lazy<T> {
  /** Creates the value, once. After a failure the next call tries again. */
  read(): Promise<T>
  /** Waits for a creation in progress. */
  settled(): Promise<void>
}

export function createLazy<T>(create: () => Promise<T>): Lazy<T> {
  let value: Promise<T> | undefined
  return {
    read() {
      if (value === undefined) {
        value = create()
        value.catch(() => {
          value = undefined
        })
      }
      return value
    },
    async settled() {
      await value?.catch(() => {})
    },
  }
}

const require = createRequire(import.meta.url)
let loaded: typeof Jose | undefined

/** Returns the package jose, which loads at the first call: a start without it is faster. */
export function jose(): typeof Jose {
  loaded ??= require('jose') as typeof Jose
  return loaded
}
