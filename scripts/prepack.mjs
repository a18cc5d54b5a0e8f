// Runs before the package is packed, by `npm pack`, or by npm for a dependency from git: in that
// case npm itself has installed the packages, otherwise the bootstrap installs them and Node. With
// --clean, after packing: removes the build.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNewEnough } from './bootstrap/installed.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
if (process.argv.includes('--clean')) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
} else if (isNewEnough(root) && existsSync(join(root, 'node_modules/typescript'))) {
  const { buildPackage } = await import('./package/build-package.ts')
  buildPackage(root)
  execFileSync(process.execPath, [
    join(root, 'scripts/package/bundle-packages.mjs'),
    join(root, 'dist/bundles'),
  ])
  const { buildSite } = await import('./documentation/build-site.ts')
  await buildSite(root, join(root, 'dist/documentation'))
} else {
  process.argv.splice(2, process.argv.length, 'prepack')
  await import('./bootstrap.mjs')
}
