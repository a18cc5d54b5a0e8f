// The first import of every module for consumers, so that an older Node, or Bun, reports what is
// missing instead of an error deep in a dependency.
import { readFileSync } from 'node:fs'

const needed = Number.parseInt(readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8'), 10)
const { bun, node } = process.versions
// Bun also states the version of Node that it imitates.
if (bun !== undefined || Number.parseInt(node, 10) < needed) {
  throw new Error(
    `The library lear-testbed requires Node ${needed} or newer. ` +
      `This is ${bun === undefined ? `Node ${node}` : `Bun ${bun}`}. ` +
      'Only the command line (`npx lear-testbed`) downloads the Node that it requires.',
  )
}
