import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compilePackage } from './compile-package.ts'

/** What runs below `node_modules`; the services' own programs come along. */
const folders = [
  'core',
  'services',
  'wallet-emulator',
  'scenarios',
  'conformance',
  'testbed',
  'containers',
]

/** What stays out of it: only `npm run mutants` needs it. */
const excluded = ['conformance/plans/*/mutants.ts']

/**
 * Read at run time beside the modules: what pages are made of, the contracts' bytecode,
 * the titles of clauses, examples of targets, the Node needed, and the image's
 * Dockerfile. Whatever else lies about in the folders of whoever packs, such as a wallet or a
 * database, stays there.
 */
const assets = [
  '.nvmrc',
  'containers/Dockerfile',
  'contracts/compiled/*.json',
  'docs/coverage/clauses.tsv',
  'conformance/targets/examples/*.yaml',
  `{${folders.join(',')}}/**/*.{css,js}`,
]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

function entriesOf({ exports }: Manifest): string[] {
  return Object.values(exports)
    .map((target) => (typeof target === 'string' ? target : target.default))
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'))
}

/**
 * The compiled modules keep their `#` imports. A package.json of their own maps these, so that the
 * repository's stays what it is: Node and TypeScript go by the nearest one.
 */
function compiledManifest({ name, version, imports }: Manifest): string {
  const mapped = Object.entries(imports)
    .filter(([, target]) => folders.some((folder) => target.startsWith(`./${folder}/`)))
    .map(([prefix, target]) => [
      `${prefix}.ts`,
      { types: `${target}.d.ts`, default: `${target}.js` },
    ])
  const manifest = { name, version, private: true, type: 'module' }
  return `${JSON.stringify({ ...manifest, imports: Object.fromEntries(mapped) }, null, 2)}\n`
}

/**
 * Fills the folder `dist` with what the npm package ships besides the files of the repository. It
 * is built beside and then moved there, so that it is complete or not there at all.
 */
export function buildPackage(root: string): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const prefixes = new Map(
    Object.entries(manifest.imports).map(([prefix, target]) => [
      prefix.slice(0, -1),
      target.slice(2, -1),
    ]),
  )
  const compiled = compilePackage(
    { root, folders, excluded, entries: entriesOf(manifest) },
    prefixes,
  )
  const files = new Map<string, string | Buffer>(compiled)
  for (const path of globSync(assets, { cwd: root }).sort()) {
    files.set(path, readFileSync(join(root, path)))
  }
  files.set('package.json', compiledManifest(manifest))

  const dist = join(root, 'dist')
  const unfinished = `${dist}.${process.pid}`
  for (const [path, content] of files) {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true })
    writeFileSync(join(unfinished, path), content)
  }
  rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
}
