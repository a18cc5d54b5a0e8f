// Writes packages that consist of many small modules to one file for each import of them: to find
// and open a module takes Node longer than to run it, and a start would open 600 of theirs.
//
// `node scripts/package/bundle-packages.mjs FOLDER`
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'

/** Imports of the program. Those that are not listed are loaded from their package. */
const imports = [
  '@noble/curves/secp256k1.js',
  '@noble/hashes/sha3.js',
  '@prometheus-io/client',
  '@scure/base',
  'commander',
  'express',
  'jose',
  'jsonpath-rfc9535',
  'kysely',
  'kysely/migration',
  'micro-eth-signer',
  'micro-eth-signer/abi.js',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'pino',
  'postal-mime',
  'puppeteer-core',
  'qr',
  'qr/decode.js',
  'yaml',
  'zod',
]

/** CommonJS that the program loads with `require`: parts of packages, or one of their two forms. */
const required = [
  '@prometheus-io/client/lib/counter.js',
  '@prometheus-io/client/lib/histogram.js',
  '@prometheus-io/client/lib/registry.js',
  'smtp-server',
  'undici/lib/dispatcher/agent.js',
]

/** What a bundle exports. esbuild does not find the names in CommonJS; Node does. */
async function entryOf(name) {
  const module = await import(name)
  const isRequired = required.includes(name)
  if (!isRequired && !('module.exports' in module)) {
    const hasDefault = 'default' in module
    return `export * from '${name}'\n${hasDefault ? `export { default } from '${name}'` : ''}`
  }
  const names = Object.keys(module).filter((key) => key !== 'default' && key !== 'module.exports')
  return [
    isRequired ? `const whole = require('${name}')` : `import whole from '${name}'`,
    'export default whole',
    // What `require` of an ES module returns.
    isRequired ? "export { whole as 'module.exports' }" : '',
    ...names.map((key, index) => `const n${index} = whole.${key}\nexport { n${index} as ${key} }`),
  ].join('\n')
}

const root = dirname(dirname(import.meta.dirname))
const folder = resolve(process.argv[2])
const entries = new Map()
for (const name of [...imports, ...required])
  entries.set(name.replaceAll('/', '+'), await entryOf(name))
// CommonJS needs the names that Node gives its modules.
const banner = `import { createRequire } from 'node:module'
const { filename: __filename, dirname: __dirname } = import.meta
const require = createRequire(import.meta.url)`

const { outputFiles, metafile } = await build({
  entryPoints: [...entries.keys()].map((name) => ({ in: `bundle:${name}`, out: name })),
  plugins: [
    {
      name: 'entries',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^bundle:/ }, ({ path }) => ({
          path: path.slice(7),
          namespace: 'entry',
        }))
        // Puppeteer imports its other protocol only for browsers that are launched with it.
        onResolve({ filter: /\/bidi\.js$/ }, ({ importer }) =>
          /[\\/]puppeteer-core[\\/]/.test(importer)
            ? { path: 'puppeteer-core/internal/bidi/bidi.js', external: true }
            : undefined,
        )
        // Express decodes only UTF-8 and Latin-1; these tables would be a third of its bundle.
        onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/ }, () => ({
          contents: 'module.exports = {}',
        }))
        onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
          contents: entries.get(path),
          resolveDir: import.meta.dirname,
        }))
      },
    },
  ],
  // The files contain the paths of modules, relative to this folder.
  absWorkingDir: root,
  preserveSymlinks: true,
  bundle: true,
  // Modules that several of them use still run once.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: `node${process.versions.node}`,
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  banner: { js: banner },
  // Classes of several packages have the same names, which oidc-provider reads.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
})
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// esbuild names every function again, each time a closure is created. Only renamed classes and
// functions need it, and nothing reads the names of arrow functions, which have no prototype.
const naming = '__name=(target,value)=>'
const isNamed = 'target.name===value||target.prototype===void 0?target:'
let replaced = 0
for (const { path, text } of outputFiles) {
  const parts = text.split(naming)
  replaced += parts.length - 1
  writeFileSync(path, parts.join(naming + isNamed))
}
if (replaced !== 1) throw new Error(`esbuild's helper for names was found ${replaced} times`)
const packages = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
)
const licences = [...new Set(packages)].sort().map((relative) => {
  const path = join(root, relative)
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name))
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const text = file === undefined ? license : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${version}\n\n${text}\n`
})
writeFileSync(join(folder, 'LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
