// A file is a chapter: a module with few lines of code has at least two importers, or it belongs to
// the one that it has. Prints the figures of the whole repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { importPrefixes } from './checks/architecture-rules.ts'
import { countCodeLines, importsOf } from './checks/measure-files.ts'

/** Lines of code below which a module needs two importers. */
const fewLines = 15

/** Modules that something else than an import loads: programs, tests, and files found by their folder. */
const entries = [
  /(^|\/)main\.ts$/,
  /\.test\.ts$/,
  /\.config\.ts$/,
  /\.d\.ts$/,
  /^scripts\/[^/]+\.m?[tj]s$/,
  /^scenarios\/suites\//,
  /^conformance\/plans\/[^/]+\/(checks\/|z-target\.ts$)/,
  // The rooms that every service has.
  /^services\/[^/]+\/(config|dependencies|errors|tables)\.ts$/,
  /^(bench\/measurements|testbed\/library|containers|test\/package\/fixture)\//,
]

const root = dirname(import.meta.dirname)
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const modules = files.filter((file) => /\.m?[tj]s$/.test(file))

const importers = new Map<string, Set<string>>()
const codeLines = new Map<string, number>()
for (const file of modules) {
  const text = read(file)
  codeLines.set(file, countCodeLines(text))
  for (const name of importsOf(text)) {
    const prefix = Object.keys(importPrefixes).find((each) => name.startsWith(each))
    const target = prefix
      ? `${importPrefixes[prefix]}${name.slice(prefix.length)}`
      : posix.join(posix.dirname(file), name)
    importers.set(target, (importers.get(target) ?? new Set()).add(file))
  }
}

const small = modules.filter((file) => {
  const isSmall = (codeLines.get(file) ?? 0) < fewLines
  return isSmall && !entries.some((pattern) => pattern.test(file))
})
const problems = small
  .map((file) => ({ file, by: [...(importers.get(file) ?? [])] }))
  .filter(({ by }) => by.length === 1)
for (const { file, by } of problems) {
  console.log(
    `${file}: ${codeLines.get(file)} lines of code, imported by ${by[0]} alone: merge them`,
  )
}

const sorted = [...codeLines.values()].sort((one, other) => one - other)
const lines = files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)
console.log(
  [
    `${files.length} files, ${lines} lines`,
    `${modules.length} modules with a median of ${sorted[sorted.length >> 1]} lines of code`,
    `${sorted.filter((count) => count < 12).length} with fewer than 12`,
  ].join('; '),
)
process.exitCode = problems.length === 0 ? 0 : 1
