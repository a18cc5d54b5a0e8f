// Runs before the package is packed, by `npm pack`, or by npm for a dependency from git: there the
// packages have been installed by npm itself, elsewhere the bootstrap sees to them and to Node.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const needed = Number.parseInt(readFileSync(join(root, '.nvmrc'), 'utf8'), 10)
const isNew = Number.parseInt(process.versions.node, 10) >= needed
if (isNew && existsSync(join(root, 'node_modules/typescript'))) {
  const { buildPackage } = await import('./package/build-package.ts')
  buildPackage(root)
} else {
  process.argv.splice(2, process.argv.length, 'prepack')
  await import('./bootstrap.mjs')
}
