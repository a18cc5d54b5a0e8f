import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installNode, localNode, nodeFolderOf } from './install-node.mjs'
import { installPackages } from './install-packages.mjs'
import { isInstalled } from './installed-packages.mjs'
import { withLock } from './lock.mjs'
import { isNewEnough, readNodeVersion } from './needed-node.mjs'
import { say } from './say.mjs'

/**
 * Installs what is missing, a newer Node or the packages, one process at a time.
 * @returns the path of the Node to go on with
 */
export async function provide(root) {
  const version = readNodeVersion(root)
  const ready = () => (isNewEnough(root) ? process.execPath : localNode(root, version))
  const present = ready()
  if (present !== undefined && isInstalled(root)) return present

  const folder = nodeFolderOf(root)
  mkdirSync(folder, { recursive: true })
  return withLock(join(folder, 'bootstrap.lock'), async () => {
    // Whoever held the lock before may have done it all.
    const node = ready() ?? (await installNode(root, version))
    if (!isInstalled(root)) {
      say('installing the packages of package-lock.json (once, about a minute)')
      await installPackages(root, node)
    }
    return node
  })
}
