// Compares the compiled contracts, their ABIs in core and docs/reference/events.md with the sources;
// with --write it compiles the contracts and updates them.

import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import solc from 'solc'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'
import {
  type CompiledCode,
  codeOf,
  codeSelection,
  compilerSettings,
  compilerVersion,
} from './contracts/compiler-settings.ts'
import {
  type AbiEntry,
  createEventsDocument,
  type SyntaxNode,
} from './contracts/create-events-document.ts'

/** The deployed contracts, with the module of core that gets their ABI. */
const deployedContracts = [
  { name: 'DidRegistry', abiFile: 'did-registry-abi', abiName: 'didRegistryAbi' },
  {
    name: 'TrustedIssuersRegistry',
    abiFile: 'trusted-issuers-registry-abi',
    abiName: 'trustedIssuersRegistryAbi',
  },
] as const

interface CompiledContract {
  readonly abi: readonly AbiEntry[]
  readonly evm: CompiledCode
  readonly userdoc: {
    readonly events?: Record<string, { notice?: string }>
    readonly errors?: Record<string, readonly { notice?: string }[]>
  }
  readonly devdoc: { readonly events?: Record<string, { params?: Record<string, string> }> }
}

interface CompilerOutput {
  readonly errors?: readonly { severity: string; formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, CompiledContract>>
  readonly sources: Record<string, { readonly ast: SyntaxNode }>
}

/**
 * Compiles the contracts and returns the files to commit: path in the repository to content.
 * Bytecode for deployment is next to the sources, ABIs in core, and the reference of events and
 * errors in the documentation. Throws on any error or warning of the compiler.
 */
function generateContractFiles(root: string): Readonly<Record<string, string>> {
  const sources = readSources(root)
  const output = compile(sources)
  const sourceHash = createHash('sha256')
    .update(JSON.stringify({ compilerVersion, compilerSettings, sources }))
    .digest('hex')
  const files: Record<string, string> = {}
  for (const { name, abiFile, abiName } of deployedContracts) {
    const contract = contractOf(output, `contracts/${name}.sol`, name)
    const { abi, evm } = contract
    const compiled = { contractName: name, sourceHash, abi, ...codeOf(evm) }
    files[`contracts/compiled/${name}.json`] = `${inLines(compiled)}\n`
    files[`core/contracts/${abiFile}.ts`] =
      `// Generated from contracts/${name}.sol by node scripts/check-contracts.ts --write; do not edit.\n\n` +
      `/** Application binary interface of the contract ${name}. */\n` +
      `export const ${abiName} = ${inLines(abi)} as const\n`
  }
  files['docs/reference/events.md'] = describe(output)
  return files
}

/** JSON with each member or element on a separate line. */
function inLines(value: object): string {
  const lines = Array.isArray(value)
    ? value.map((element) => JSON.stringify(element))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.map((line) => `  ${line}`).join(',\n')}\n${close}`
}

function contractOf(output: CompilerOutput, file: string, name: string): CompiledContract {
  const contract = output.contracts[file]?.[name]
  if (contract === undefined) throw new Error(`The compiler returned no contract ${name}.`)
  return contract
}

/** Events and errors are declared and described in the contracts' interfaces. */
function describe(output: CompilerOutput): string {
  const contracts = deployedContracts.map(({ name }) => {
    const { abi, userdoc, devdoc } = contractOf(
      output,
      `contracts/interfaces/I${name}.sol`,
      `I${name}`,
    )
    const errors = Object.entries(userdoc.errors ?? {}).map(([key, [first]]) => [key, first])
    const notices = { ...userdoc.events, ...Object.fromEntries(errors) }
    return { name, abi, notices, parameters: devdoc.events ?? {} }
  })
  const trees = Object.values(output.sources).map(({ ast }) => ast)
  return createEventsDocument(contracts, trees)
}

function readSources(root: string): Record<string, { content: string }> {
  const paths = globSync('contracts/**/*.sol', { cwd: root, exclude: ['contracts/test/**'] }).sort()
  return Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(root, path), 'utf8') }]),
  )
}

function compile(sources: Record<string, { content: string }>): CompilerOutput {
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      ...compilerSettings,
      outputSelection: {
        '*': { '': ['ast'], '*': ['abi', ...codeSelection, 'userdoc', 'devdoc'] },
      },
    },
  }
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = output.errors ?? []
  if (problems.length > 0) {
    throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  return output
}

const files = generateContractFiles(dirname(import.meta.dirname))
reportProblems(keepGenerated(files), 'The compiled contracts match their sources.')
