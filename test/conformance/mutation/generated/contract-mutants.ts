import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { root } from '#test/support/repository.ts'
import {
  type CompiledCode,
  codeOf,
  codeSelection,
  compilerSettings,
  compilerVersion,
} from '../../../../scripts/contracts/compiler-settings.ts'
import { type ContractChange, changeContract, type SyntaxNode } from './contract-operators.ts'
import type { GeneratedMutant } from './instrument-code.ts'

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string }[]
  readonly sources: Readonly<Record<string, { readonly ast: SyntaxNode }>>
  readonly contracts?: Record<string, Record<string, { evm: CompiledCode }>>
}

/** The code of a contract with one mutant in it. */
export interface ContractCode {
  readonly contract: string
  /** Deployed code in hexadecimal, with zeros at `immutables`. */
  readonly deployedBytecode: string
  /** In bytes, in the order of the declarations. */
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
}

/** Code that is not optimized compiles four times as fast; its limit of size is not enforced here. */
const settings = { ...compilerSettings, optimizer: { enabled: false } }

const readSources = (): Record<string, { readonly content: string }> => {
  const paths = globSync('contracts/**/*.sol', { cwd: root, exclude: ['contracts/test/**'] }).sort()
  return Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(root, path), 'utf8') }]),
  )
}

function compile(sources: object, outputSelection: object): CompilerOutput {
  // Loading the compiler takes seconds; as a rule everything is in the cache.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } }
  return JSON.parse(solc.compile(JSON.stringify(input)))
}

/** A result that is kept in `.cache` under everything that it depends on. */
function cached<Value>(kind: string, dependsOn: unknown, compute: () => Value): Value {
  const text = JSON.stringify([compilerVersion, settings, dependsOn])
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const folder = join(root, '.cache', 'generated-mutants')
  const path = join(folder, `${kind}-${name}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  const value = compute()
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, JSON.stringify(value))
  return value
}

interface PlacedChange extends GeneratedMutant {
  /** In bytes of the source. */
  readonly start: number
  readonly end: number
}

/** The mutants of these contracts and libraries, by the paths of their sources. */
export function placeContractMutants(files: readonly string[]): readonly PlacedChange[] {
  const sources = readSources()
  const operators = readFileSync(join(import.meta.dirname, 'contract-operators.ts'), 'utf8')
  const callers = globSync('services/*/adapters/*-contract.ts', { cwd: root })
    .sort()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .concat(Object.values(sources).map(({ content }) => content))
  const isCalled = (name: string) =>
    callers.some((text) => new RegExp(`\\.${name}\\(|'${name}'`).test(text))
  return cached('contract-mutants', [sources, files, operators, callers], () => {
    const { sources: trees } = compile(sources, { '*': { '': ['ast'] } })
    return files.flatMap((file) => {
      const tree = trees[file]?.ast
      const text = Buffer.from(sources[file]?.content ?? '')
      return tree === undefined ? [] : mutantsOf(file, changeContract(tree, text, isCalled), text)
    })
  })
}

function mutantsOf(file: string, changes: readonly ContractChange[], text: Buffer): PlacedChange[] {
  const counts = new Map<string, number>()
  return changes.map(({ operator, start, end, replacement, within }) => {
    const original = text.toString('utf8', start, end)
    const described = { file, within, operator, original, replacement }
    const key = JSON.stringify(described)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const id = createHash('sha256').update(`${key}${count}`).digest('hex').slice(0, 8)
    const line = text.toString('utf8', 0, start).split('\n').length
    return { id, line, ...described, start, end }
  })
}

/**
 * Compiles a contract with one mutant of the files that `placeContractMutants` was asked for.
 * Undefined if the mutant does not compile.
 */
export function compileContractMutant(
  contract: string,
  files: readonly string[],
  id: string,
): ContractCode | undefined {
  const mutant = placeContractMutants(files).find((each) => each.id === id)
  if (mutant === undefined) throw new TypeError(`There is no contract mutant ${id}.`)
  const { file, start, end, replacement } = mutant
  const sources = readSources()
  const text = Buffer.from(sources[file]?.content ?? '')
  const parts = [text.subarray(0, start), Buffer.from(replacement), text.subarray(end)]
  const patched = { ...sources, [file]: { content: Buffer.concat(parts).toString() } }
  const path = Object.keys(sources).find((each) => basename(each) === `${contract}.sol`) ?? ''
  const code = cached('contract', [patched, contract], () => {
    const { contracts } = compile(patched, { [path]: { [contract]: codeSelection } })
    const compiled = contracts?.[path]?.[contract]
    return compiled ? codeOf(compiled.evm) : null
  })
  return code ? { contract, ...code } : undefined
}
