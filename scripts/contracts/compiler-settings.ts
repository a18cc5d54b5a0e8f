import { createRequire } from 'node:module'

/** Version of the compiler: the pragma of each contract and the `solc` of package.json. */
export const compilerVersion = '0.8.37'

/** Path of the compiler from npm, so that nothing is downloaded. */
export const compilerPath = createRequire(import.meta.url).resolve('solc/soljson.js')

/**
 * Settings shared by the committed bytecode and by Hardhat. The bytecode contains no hash of the
 * sources' metadata, so that a changed comment does not change a contract.
 */
export const compilerSettings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
} as const

/** Bytes of the deployed code that the constructor sets. */
interface CodeRange {
  readonly start: number
  readonly length: number
}

/** Code in the compiler's format under `evm`. */
export interface CompiledCode {
  readonly bytecode: { readonly object: string }
  readonly deployedBytecode: {
    readonly object: string
    readonly immutableReferences: Readonly<Record<string, readonly CodeRange[]>>
  }
}

/** The compiler output that `codeOf` needs. */
export const codeSelection = ['evm.bytecode.object', 'evm.deployedBytecode']

/**
 * Code that deploys a contract, and the resulting code on the chain, with zeros at `immutables`.
 */
export function codeOf({ bytecode, deployedBytecode }: CompiledCode) {
  return {
    bytecode: `0x${bytecode.object}`,
    deployedBytecode: `0x${deployedBytecode.object}`,
    immutables: Object.values(deployedBytecode.immutableReferences).flat(),
  }
}
