import { createRequire } from 'node:module'

/** Version of the compiler: the pragma of each contract and the `solc` of package.json. */
export const compilerVersion = '0.8.37'

/** Path of the compiler that comes with npm, so that nothing is ever downloaded. */
export const compilerPath = createRequire(import.meta.url).resolve('solc/soljson.js')

/**
 * Settings shared by the committed bytecode and by Hardhat. Without a hash of the sources' metadata
 * in the bytecode a changed comment changes no contract.
 */
export const compilerSettings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
} as const

/** Bytes of the deployed code that the constructor fills in. */
interface CodeRange {
  readonly start: number
  readonly length: number
}

/** Code as the compiler describes it under `evm`. */
export interface CompiledCode {
  readonly bytecode: { readonly object: string }
  readonly deployedBytecode: {
    readonly object: string
    readonly immutableReferences: Readonly<Record<string, readonly CodeRange[]>>
  }
}

/** What to ask the compiler for, so that `codeOf` has what it needs. */
export const codeSelection = ['evm.bytecode.object', 'evm.deployedBytecode']

/** Code to deploy a contract, and the code that is then on the chain, with zeros at `immutables`. */
export function codeOf({ bytecode, deployedBytecode }: CompiledCode) {
  return {
    bytecode: `0x${bytecode.object}`,
    deployedBytecode: `0x${deployedBytecode.object}`,
    immutables: Object.values(deployedBytecode.immutableReferences).flat(),
  }
}
