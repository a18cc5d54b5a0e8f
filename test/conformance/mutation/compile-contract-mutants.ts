import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  type CompiledCode,
  codeOf,
  codeSelection,
  compilerSettings,
  compilerVersion,
} from '../../../scripts/contracts/compiler-settings.ts'

const deployed = ['DidRegistry', 'TrustedIssuersRegistry']

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, { evm: CompiledCode }>>
}

/**
 * Compiles the contracts with the deviations of all mutants in them, with the same settings as for
 * deployment. Returns the folder with the bytecode, which is made once for each content.
 * @param patch puts the deviations into a source, by its path in the repository
 */
export function compileContractMutants(
  root: string,
  patch: (file: string, source: string) => string,
): string {
  const paths = globSync('contracts/**/*.sol', { cwd: root, exclude: ['contracts/test/**'] }).sort()
  const sources = Object.fromEntries(
    paths.map((path) => [path, { content: patch(path, readFileSync(join(root, path), 'utf8')) }]),
  )
  const content = JSON.stringify({ compilerVersion, compilerSettings, sources })
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const folder = join(root, '.cache', 'contract-mutants', hash)
  const fileOf = (name: string) => join(folder, `${name}.json`)
  if (deployed.every((name) => existsSync(fileOf(name)))) return folder
  // Loading the compiler takes longer than running all mutants; as a rule it is not needed.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const settings = {
    ...compilerSettings,
    outputSelection: { '*': { '*': codeSelection } },
  }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output: CompilerOutput = JSON.parse(solc.compile(input))
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length > 0) {
    throw new TypeError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  mkdirSync(folder, { recursive: true })
  for (const name of deployed) {
    const contract = output.contracts[`contracts/${name}.sol`]?.[name]
    if (contract === undefined) throw new TypeError(`The compiler gave no contract ${name}.`)
    writeFileSync(fileOf(name), JSON.stringify(codeOf(contract.evm)))
  }
  return folder
}
