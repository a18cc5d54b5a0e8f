// Preloaded by processes that load much. It resolves imports of files by their text: all of this
// package's own modules, and relative ones of other ES modules. For each of hundreds, Node would
// look for a package.json and the real path. Packages come from their bundles.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import module from 'node:module'

const isRepository = existsSync(new URL('../../testbed/command-line/main.ts', import.meta.url))
const root = new URL(isRepository ? '../../' : '../../dist/', import.meta.url).href
const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
// The compiled modules have a package.json that also names their types.
const prefixes = Object.entries(imports).map(([from, to]) =>
  [from, to.default ?? to].map((text) => text.split('*')),
)
const formats = { '.ts': 'module-typescript', '.js': 'module' }
const packages = `${root}node_modules/`
// Written by ../package/bundle-packages.mjs; what it has not written is loaded from its package.
const bundles = new URL(isRepository ? 'node_modules/.bundles/' : 'bundles/', root)
const bundled = new Set(existsSync(bundles) ? readdirSync(bundles) : [])

const findUrl = (specifier, parent) => {
  if (specifier.startsWith('.')) return new URL(specifier, parent).href
  for (const [[start, end], [to, ending]] of prefixes) {
    if (!specifier.startsWith(start) || !specifier.endsWith(end)) continue
    const name = specifier.slice(start.length, specifier.length - end.length)
    return new URL(`${to}${name}${ending}`, root).href
  }
  return undefined
}

module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL: parent, conditions } = context
    if (!parent?.startsWith('file:')) return next(specifier, context)
    const isOwn = parent.startsWith(root) && !parent.startsWith(packages)
    const bundle = `${specifier.replaceAll('/', '+')}.mjs`
    if (isOwn && bundled.has(bundle)) {
      return { url: new URL(bundle, bundles).href, shortCircuit: true, format: 'module' }
    }
    if (!conditions.includes('import') || !/^[.#].*\.[jt]s$/.test(specifier))
      return next(specifier, context)
    const url = isOwn || specifier.startsWith('.') ? findUrl(specifier, parent) : undefined
    if (url === undefined) return next(specifier, context)
    // A package may contain both kinds of modules.
    return { url, shortCircuit: true, ...(isOwn && { format: formats[url.slice(-3)] }) }
  },
})
