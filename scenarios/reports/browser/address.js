/**
 * What the address' fragment says: choices of the filter (`verdict=failed&suite=login`), and the
 * element to show (`at=login-fails-closed-ES256K-7`, or its id alone, as links have it).
 */
export function readAddress() {
  const fragment = location.hash.slice(1)
  return new URLSearchParams(
    fragment.includes('=') || fragment === '' ? fragment : `at=${fragment}`,
  )
}

/** Puts choices into the address without a new entry in the history; empty ones are left out. */
export function writeAddress(changes) {
  const choices = readAddress()
  for (const [name, value] of Object.entries(changes)) {
    if (value) choices.set(name, value)
    else choices.delete(name)
  }
  const fragment = choices.toString()
  history.replaceState(
    null,
    '',
    fragment === '' ? location.pathname + location.search : `#${fragment}`,
  )
}
