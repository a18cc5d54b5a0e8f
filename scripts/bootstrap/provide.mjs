import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installNode, localNode } from './install-node.mjs'
import { installPackages } from './install-packages.mjs'
import { isInstalled } from './installed-packages.mjs'
import { withLock } from './lock.mjs'
import { say } from './say.mjs'

/**
 * Brings what is missing, a newer Node or the packages, one process at a time.
 * @returns the path of the Node to go on with
 */
export async function provide({ root, neededMajor, currentMajor }) {
  const isOld = currentMajor < neededMajor
  const ready = () => (isOld ? localNode(root, neededMajor) : process.execPath)
  const present = ready()
  if (present !== undefined && isInstalled(root)) return present

  const folder = join(root, '.node')
  mkdirSync(folder, { recursive: true })
  return withLock(join(folder, 'bootstrap.lock'), async () => {
    // Whoever held the lock before may have done it all.
    let node = ready()
    if (node === undefined) {
      say(
        `Node ${process.versions.node} is older than the ${neededMajor} that is needed: ` +
          `bringing one into ${folder} (once, about 60 MB)`,
      )
      node = await installNode(root, neededMajor)
    }
    if (!isInstalled(root)) {
      say('installing the packages of package-lock.json (once, about a minute)')
      await installPackages(root, node)
    }
    return node
  })
}
