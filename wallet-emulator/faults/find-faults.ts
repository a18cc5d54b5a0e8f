import { walletError } from '../wallet-error.ts'
import { allFaults, findFault } from './all-faults.ts'
import type { WalletFault } from './wallet-fault.ts'

const mostHints = 3

/**
 * The deviations of these names, in their order. Throws a TestbedError `unknown_fault` for a name
 * that there is not, with the nearest ones as hints.
 */
export function findFaults(names: readonly string[]): readonly WalletFault[] {
  return names.map((name) => findFault(name) ?? unknown(name))
}

function unknown(name: string): never {
  const near = allFaults
    .map((fault) => ({ name: fault.name, distance: distanceOf(name, fault.name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostHints)
  throw walletError('unknown_fault', `There is no wallet fault "${name}".`, {
    hints: [`The nearest are ${near.map((fault) => fault.name).join(', ')}.`],
  })
}

/** How many characters have to be put in, taken out or changed (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, letter] of [...other].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]]
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === character ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
