import { createRequire } from 'node:module'
import type * as Jose from 'jose'

const require = createRequire(import.meta.url)
let loaded: typeof Jose | undefined

/** Returns the package jose, which loads at the first call: a start without it is faster. */
export function jose(): typeof Jose {
  loaded ??= require('jose') as typeof Jose
  return loaded
}
