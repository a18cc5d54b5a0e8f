import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns a package, which loads at the first call: a start without it is faster. */
export function requireLater<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= require(name) as Package
    return loaded
  }
}
