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
