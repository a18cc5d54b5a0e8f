import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prints progress to stderr, because stdout is for data. */
export function say(text) {
  process.stderr.write(`testbed: ${text}\n`)
}

const eraseLine = '\r\u001B[K'

const pollMilliseconds = 200

/** Whether a list of the lockfile, such as `["linux", "!win32"]`, includes this machine's value. */
function includes(list, value) {
  if (list === undefined || value === undefined) return true
  const names = [list].flat()
  if (names.includes(`!${value}`)) return false
  return names.includes(value) || names.every((name) => name.startsWith('!'))
}

function libcOfMachine() {
  if (process.platform !== 'linux') return undefined
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}

/** The folders of the packages in the lockfile that npm installs on this machine. */
function listFolders(root) {
  const { packages = {} } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const libc = libcOfMachine()
  return Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
    .filter(([, { os }]) => includes(os, process.platform))
    .filter(([, { cpu }]) => includes(cpu, process.arch))
    .filter(([, each]) => includes(each.libc, libc))
    .map(([path]) => join(root, path))
}

/**
 * Shows on a terminal how many packages npm has unpacked, in one line that each change overwrites.
 * A log of other programs gets no progress. npm itself reports none that does not depend on its
 * cache, so this looks for the packages in the file system.
 * @returns a function that removes the line
 */
export function showInstallation(root, stream = process.stderr) {
  if (!stream.isTTY) return () => {}
  const folders = listFolders(root)
  let shown = 0
  const look = () => {
    // All of them again: npm first removes what an earlier installation left.
    const { length } = folders.filter((folder) => existsSync(join(folder, 'package.json')))
    if (length !== shown)
      stream.write(`${eraseLine}testbed: ${length} of ${folders.length} packages`)
    shown = length
  }
  const clear = () => stream.write(eraseLine)
  // A signal ends the process without a return from npm.
  process.once('exit', clear)
  const timer = setInterval(look, pollMilliseconds)
  return () => {
    clearInterval(timer)
    process.removeListener('exit', clear)
    clear()
  }
}
