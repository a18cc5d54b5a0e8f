// A file is a chapter: a module with few lines of code has at least two importers; otherwise merge
// it with its only importer. Every export is imported by another module. Prints the figures of the
// whole repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveImport } from './checks/architecture-rules.ts'
import { readModule } from './checks/read-module.ts'

/** Lines of code below which a module needs two importers. */
const fewLines = 15

/** Modules that are loaded without an import: programs, tests, and files found by their folder. */
const entries = [
  /(^|\/)main\.m?ts$/,
  /\.test\.ts$/,
  /\.config\.ts$/,
  /\.d\.ts$/,
  /\.m?js$/,
  /^scripts\/[^/]+\.ts$/,
  /^scenarios\/suites\//,
  /^conformance\/plans\/[^/]+\/(checks\/|mutants\.ts$|z-target\.ts$)/,
  /^(testbed\/library|testbed\/command-line\/commands|containers)\//,
  /^test\/(package\/fixture|wallet-emulator\/examples|containers)\//,
]

/** The standard files of every service, and the error catalogues of core, of any size. */
const rooms = /^(services\/[^/]+\/(config|dependencies|errors|tables)|core\/[^/]+\/errors)\.ts$/

const root = dirname(import.meta.dirname)
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const modules = new Map(
  files.filter((file) => /\.m?[tj]s$/.test(file)).map((file) => [file, readModule(read(file))]),
)

/** The importers of a module, and its imported names. */
const uses = new Map<string, { importers: Set<string>; names: Set<string> }>()
for (const [file, { imports }] of modules) {
  for (const { specifier, names } of imports) {
    const target = resolveImport(file, specifier)
    if (target === undefined) continue
    const use = uses.get(target) ?? { importers: new Set(), names: new Set() }
    use.importers.add(file)
    for (const name of names) use.names.add(name)
    uses.set(target, use)
  }
}

let problems = 0
const report = (file: string, problem: string) => {
  problems++
  console.log(`${file}: ${problem}`)
}
for (const [file, { codeLines, exports }] of modules) {
  if (entries.some((pattern) => pattern.test(file))) continue
  const { importers = new Set(), names = new Set() } = uses.get(file) ?? {}
  if (codeLines < fewLines && importers.size === 1 && !rooms.test(file)) {
    report(file, `${codeLines} lines of code, imported only by ${[...importers][0]}: merge them`)
  }
  if (names.has('*')) continue
  // A type may be exported with an exported signature that mentions it.
  const isMentioned = (name: string) => read(file).split(new RegExp(`\\b${name}\\b`)).length > 2
  const unused = exports.filter(
    ({ name, isType }) => !names.has(name) && !(isType && isMentioned(name)),
  )
  if (unused.length > 0)
    report(file, `exports what nothing imports: ${unused.map(({ name }) => name).join(', ')}`)
}

const sorted = [...modules.values()].map(({ codeLines }) => codeLines).sort((a, b) => a - b)
const lines = files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)
console.log(
  [
    `${files.length} files, ${lines} lines`,
    `${modules.size} modules with a median of ${sorted[sorted.length >> 1]} lines of code`,
    `${sorted.filter((count) => count < 12).length} with fewer than 12`,
  ].join('; '),
)
process.exitCode = problems === 0 ? 0 : 1
