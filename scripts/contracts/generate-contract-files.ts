import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import { compilerSettings, compilerVersion } from './compiler-settings.ts'

/** The contracts that are deployed, with the module of core that gets their ABI. */
const deployedContracts = [
  { name: 'DidRegistry', abiFile: 'did-registry-abi', abiName: 'didRegistryAbi' },
  {
    name: 'TrustedIssuersRegistry',
    abiFile: 'trusted-issuers-registry-abi',
    abiName: 'trustedIssuersRegistryAbi',
  },
] as const

interface CompilerOutput {
  readonly errors?: readonly { severity: string; formattedMessage: string }[]
  readonly contracts?: Record<
    string,
    Record<string, { abi: readonly object[]; evm: { bytecode: { object: string } } }>
  >
}

/**
 * Compiles the contracts and gives the files that are committed in the compiler's place: path in
 * the repository to content. Bytecode for deployment lies beside the sources, ABIs in core.
 * Throws on any error or warning of the compiler.
 */
export function generateContractFiles(root: string): ReadonlyMap<string, string> {
  const sources = readSources(root)
  const output = compile(sources)
  const sourceHash = createHash('sha256')
    .update(JSON.stringify({ compilerVersion, compilerSettings, sources }))
    .digest('hex')
  const files = new Map<string, string>()
  for (const { name, abiFile, abiName } of deployedContracts) {
    const contract = output.contracts?.[`contracts/${name}.sol`]?.[name]
    if (contract === undefined) throw new Error(`The compiler gave no contract ${name}.`)
    const bytecode = `0x${contract.evm.bytecode.object}`
    const compiled = { contractName: name, sourceHash, abi: contract.abi, bytecode }
    files.set(`contracts/compiled/${name}.json`, `${JSON.stringify(compiled, null, 2)}\n`)
    files.set(
      `core/contracts/${abiFile}.ts`,
      `// Generated from contracts/${name}.sol by scripts/compile-contracts.ts.\n\n` +
        `/** Application binary interface of the contract ${name}. */\n` +
        `export const ${abiName} = ${JSON.stringify(contract.abi, null, 2)} as const\n`,
    )
  }
  return files
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
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = output.errors ?? []
  if (problems.length > 0) {
    throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  return output
}
